"""What `value.name` is: members of modules and classes, attributes that methods set, properties.

Law of this file: what the class and its bases say comes first, then its subclasses (mixins), then what
anybody in the project puts under that name.
"""

from collections.abc import Sequence

from redis_guard.facts.model import Attr
from redis_guard.project import classes, runtime
from redis_guard.project.asking import Asker
from redis_guard.project.containers import unpacked
from redis_guard.project.kinds import is_method
from redis_guard.project.library import ATTRIBUTES, METHODS, PROPERTY_DECORATORS
from redis_guard.project.naming import client_like
from redis_guard.project.tables import StoreSite
from redis_guard.project.values import (
    LIKELY,
    NOTHING,
    ClassObject,
    Function,
    Instance,
    Library,
    LibraryInstance,
    Method,
    ModuleObject,
    Plain,
    RedisObject,
    ScopeRef,
    Super,
    Value,
    Values,
    Wrapped,
    WrappedMethod,
    has_redis,
    join,
    one,
    through,
)
from redis_guard.project.walk import dotted, last_name

_SITES = 30
_BUILDS = frozenset({"from_url", "from_pool"})


def of_expression(inf: Asker, path: str, scope: int, expr: Attr) -> Values:
    """`expr` by what its base is; by its name alone where nobody knows the base."""
    name = dotted(expr)
    base = inf.values(path, scope, expr.value)
    found = join(*(inf.attribute(value, expr.name) for value in base))
    if found:
        return inf.configured({name}, found) if name else found
    vague = not base or any(
        isinstance(v.object, (Library, LibraryInstance, Instance, Function)) for v in base
    )
    if vague and not any(isinstance(v.object, (Plain, RedisObject)) for v in base):
        return named_alike(inf, expr)
    return NOTHING


def of_object(inf: Asker, value: Value, name: str) -> Values:
    """The attribute `name` of one object."""
    match value.object:
        case ModuleObject(path=path):
            return inf.configured({f"{module_name(path)}.{name}"}, inf.member(path, name))
        case Library(name=library):
            full = f"{library}.{name}"
            return inf.configured({full}, one(Library(full), value.grade))
        case LibraryInstance(name=library):
            return _of_library(value, library, name)
        case ClassObject(ref=ref):
            return _of_class(inf, value, ref, name)
        case Instance(ref=ref):
            if name == "__class__":
                return classes.of_instances((value,))
            return _of_instance(inf, value, ref, name)
        case RedisObject():
            return _of_redis(inf, value, value.object, name)
        case Super(ref=ref, owner=owner):
            return _of_super(inf, value, ref, owner, name)
        case Wrapped():
            if value.object.how == "cell" and name in ("value", "contents", "obj"):
                return value.object.values
            return one(WrappedMethod(value.object, name), value.grade)
        case Function():
            return _stored(inf, inf.index.other_stores.get(name, ()), value)
    return NOTHING


def module_name(path: str) -> str:
    """The dotted name of a file, its source root included."""
    return path.rsplit(".", 1)[0].removesuffix("/__init__").replace("/", ".")


def _of_library(value: Value, library: str, name: str) -> Values:
    made = ATTRIBUTES.get((library, name))
    if made is not None:
        return one(made, LIKELY, f"{name} of {library}")
    if (library, name) in METHODS or library.startswith("django.core.cache"):
        return one(LibraryInstance(f"{library}.{name}"), value.grade)
    return NOTHING


def _of_redis(inf: Asker, value: Value, redis: RedisObject, name: str) -> Values:
    if redis.cls is not None:
        own = _members(inf, value, classes.bases(inf, redis.cls), name)
        if own:
            return own
    if name == "__class__":
        return classes.of_instances((value,))
    if is_method(redis.kind, name) or runtime.has_method(redis, name):
        return one(Method(redis, name), value.grade, value.how)
    if name == "connection_pool":
        return one(RedisObject("pool", redis.asynchronous, "redis.connection.ConnectionPool"), value.grade)
    if name in ("client", "redis", "connection") and redis.kind in ("pipeline", "lock", "script"):
        return NOTHING
    return NOTHING


def _of_class(inf: Asker, value: Value, ref: ScopeRef, name: str) -> Values:
    found = _members(inf, value, classes.bases(inf, ref), name)
    if found:
        return found
    made = classes.redis_base(inf, ref)
    builds = runtime.FACTORIES if made is not None and made.kind == runtime.COORDINATION else _BUILDS
    if made is not None and name in builds:
        return one(Method(made, name), value.grade, value.how)
    if made is not None and is_method(made.kind, name):
        return one(Method(made, name), value.grade, value.how)
    return NOTHING


def _of_instance(inf: Asker, value: Value, ref: ScopeRef, name: str) -> Values:
    line = classes.bases(inf, ref)
    found = _members(inf, value, line, name)
    if has_redis(found) or any(isinstance(v.object, (Function, Plain)) for v in found):
        return found
    below: list[Values] = []
    for child in classes.subclasses(inf, ref):
        made = classes.redis_base(inf, child)
        if made is not None:
            below.append(_of_redis(inf, Value(made, LIKELY, f"{made.type} extends it"), made, name))
        else:
            mixed = [item for item in classes.bases(inf, child) if item not in line]
            below.append(_members(inf, Value(Instance(child), LIKELY, value.how), tuple(mixed), name))
    extra = tuple(v.weaker(LIKELY) for v in join(*below))
    return join(found, extra)


def inherited(inf: Asker, ref: ScopeRef, name: str) -> Values:
    """What an instance has under a name by its class and those above it, classes below left out."""
    return _members(inf, Value(Instance(ref)), classes.bases(inf, ref), name)


def _of_super(
    inf: Asker, value: Value, ref: ScopeRef, owner: Instance | ClassObject | RedisObject, name: str
) -> Values:
    line = classes.bases(inf, ref)[1:]
    found = _members(inf, Value(owner, value.grade, value.how), line, name)
    if found:
        return found
    made = classes.redis_base(inf, ref)
    if made is not None:
        known = is_method(made.kind, name) or runtime.has_method(made, name)
        return one(Method(made, name), value.grade, f"super() of {made.type}") if known else NOTHING
    for child in classes.subclasses(inf, ref):
        below = classes.redis_base(inf, child)
        if below is not None and is_method(below.kind, name):
            return one(Method(below, name), LIKELY, f"super() in a base of {below.type}")
    return NOTHING


def _members(inf: Asker, value: Value, line: tuple[ScopeRef | str, ...], name: str) -> Values:
    """The member `name` of the first class of `line` that has one, and what is stored there."""
    found: list[Values] = []
    for item in line:
        if isinstance(item, str):
            made = ATTRIBUTES.get((item, name))
            if made is not None:
                found.append(one(made, LIKELY, f"{name} of {item}"))
            elif (item, name) in METHODS:
                found.append(one(Library(f"{item}.{name}"), LIKELY))
            continue
        declared = _declared(inf, value, item, name)
        found.append(declared)
        if any(isinstance(v.object, Function) for v in declared):
            break
    if name in inf.index.attribute_stores:
        found.append(_own_stores(inf, line, name))
        if not has_redis(join(*found)):
            found.append(_stored(inf, inf.index.other_stores.get(name, ()), value))
    return join(*found)


def _declared(inf: Asker, value: Value, ref: ScopeRef, name: str) -> Values:
    """What the body of the class binds to `name`; a property is what it gives."""
    numbers = inf.index.definitions(ref.path, ref.scope).get(name)
    if not numbers:
        return NOTHING
    found: list[Values] = []
    for number in numbers:
        for member in inf.definition(ref.path, ref.scope, number):
            if not isinstance(member.object, Function):
                found.append((member,))
                continue
            scope = inf.index.scope(member.object.ref)
            marks = classes.decorators(scope)
            bound = Function(member.object.ref, _owner(value))
            if marks & PROPERTY_DECORATORS:
                given = inf.called(Value(bound, value.grade), None, ref.path, ref.scope)
                found.append(through(given, f"property {scope.qualname}"))
            elif "setter" not in marks:
                found.append(one(bound, value.grade))
    return join(*found)


def _owner(value: Value) -> Instance | ClassObject | RedisObject | None:
    return value.object if isinstance(value.object, (Instance, ClassObject, RedisObject)) else None


def _own_stores(inf: Asker, line: tuple[ScopeRef | str, ...], name: str) -> Values:
    """`self.name = …` and `cls.name = …` in methods of the classes of `line`.

    What an `__init__` sets does not count where a class below has an `__init__` that does not call it.
    """
    found: list[Values] = []
    cut = False
    for item in line:
        if not isinstance(item, ScopeRef):
            continue
        scopes = inf.index.modules[item.path].scopes
        for site in inf.index.own_stores(item.path, item.scope, name):
            home = scopes[inf.index.homes[site.path][site.scope]]
            if not (cut and home.name == "__init__"):
                found.append(_given(inf, site, f"attribute {name} set in {home.qualname}"))
        for number in inf.index.definitions(item.path, item.scope).get("__init__", ()):
            made = scopes[item.scope].defs[number]
            cut = cut or (made.kind == "function" and not inf.index.chained(item.path, made.target))
    return join(*found)


def _given(inf: Asker, site: StoreSite, step: str) -> Values:
    given = unpacked(inf.values(site.path, site.scope, site.store.value), site.store.unpack)
    if site.store.annotation is not None and not has_redis(given):
        declared = inf.annotation(site.path, site.scope, site.store.annotation)
        given = join(declared, given)
    return through(given, step)


def _stored(inf: Asker, stores: Sequence[StoreSite], value: Value) -> Values:
    """`something.name = …` elsewhere, where `something` may be the same object."""
    found: list[Values] = []
    for site in stores[:_SITES]:
        target = site.store.target
        assert isinstance(target, Attr)
        holders = inf.values(site.path, site.scope, target.value)
        if any(holder.object == value.object or _related(inf, holder, value) for holder in holders):
            found.append(_given(inf, site, f"attribute {target.name} set at {site.path}"))
    return join(*found)


def _related(inf: Asker, holder: Value, value: Value) -> bool:
    ours, theirs = holder.object, value.object
    if isinstance(ours, (Instance, ClassObject)) and isinstance(theirs, (Instance, ClassObject)):
        return (
            ours.ref == theirs.ref
            or theirs.ref in classes.bases(inf, ours.ref)
            or ours.ref in classes.bases(inf, theirs.ref)
        )
    return False


def _class_like(name: str | None) -> bool:
    """`Protocol`, as opposed to `app` and `G`: what instances are given is not looked for there."""
    return name is not None and name[:1].isupper() and name != name.upper()


def named_alike(inf: Asker, expr: Attr) -> Values:
    """`….name` where nobody knows what stands before it: what the project stores under that name.

    Believed where the holder has the same name, or the attribute is named like a client, and every store
    that can be followed is a Redis object.
    """
    stores = inf.index.attribute_stores.get(expr.name, [])
    if not stores or len(stores) > _SITES:
        return NOTHING
    holder = last_name(expr.value)
    # a name for oneself says nothing about another class
    near = [
        site
        for site in inf.index.other_stores.get(expr.name, ())
        if isinstance(site.store.target, Attr) and last_name(site.store.target.value) == holder
    ]
    if not near and (not client_like(expr.name) or _class_like(holder)):
        return NOTHING

    def look() -> Values:
        given = [_given(inf, site, f"attribute {expr.name} set at {site.path}") for site in near or stores]
        known = [values for values in given if values]
        if not known or not all(has_redis(values) for values in known):
            return NOTHING
        return tuple(v.weaker(LIKELY) for v in join(*known) if isinstance(v.object, RedisObject))

    return inf.remembered(("alike", expr.name, holder if near else None), look)
