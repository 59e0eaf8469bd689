"""Passwords in URLs, and what stands in for one."""

import pytest

from redis_guard.passwords import masked, names_a_server, password_in, without_password


@pytest.mark.parametrize(
    ("url", "password"),
    [
        ("redis://:Zk48-wallaby@cache:6379/0", "Zk48-wallaby"),
        ("rediss://shop:Zk48-wallaby@cache.shop.eu", "Zk48-wallaby"),
        ("redis://cache?db=1&password=Zk48-wallaby", "Zk48-wallaby"),
        ("redis://:Zk48-wallaby@\0:6379", "Zk48-wallaby"),
        ("redis://:Zk48@wallaby@cache", "Zk48@wallaby"),
        ("redis://:s3cret@cache", "s3cret"),
    ],
)
def test_a_password_in_a_url(url: str, password: str) -> None:
    assert password_in(url) == password


@pytest.mark.parametrize(
    "password",
    [
        *(
            "",
            "password",
            "pass",
            "secret",
            "sekret",
            "mypassword",
            "your-password",
            "redis_password",
            "changeme",
        ),
        *("<password>", "${REDIS_PASSWORD}", "{password}", "%s", "***", "xxxx", "...", "\0", "pre-\0"),
    ],
)
def test_what_stands_in_for_a_password(password: str) -> None:
    assert password_in(f"redis://shop:{password}@cache:6379") is None


@pytest.mark.parametrize(
    "text", ["redis://cache", "redis://shop@cache", "cache:6379", "", "//:a@b", "redis://"]
)
def test_no_password_at_all(text: str) -> None:
    assert password_in(text) is None


@pytest.mark.parametrize(
    ("host", "of_the_world"),
    [
        ("cache.shop.eu:6379", True),
        ("8.8.8.8", True),
        ("[2606:4700::1]:6379", True),
        ("localhost:6379", False),
        ("127.0.0.1", False),
        ("10.0.0.7:6379", False),
        ("[::1]:6379", False),
        ("cache", False),
        ("redis.example.com", False),
        ("host.docker.internal", False),
        ("\0.shop.eu", False),
    ],
)
def test_which_hosts_are_servers_of_the_world(host: str, of_the_world: bool) -> None:
    assert names_a_server(f"redis://:Zk48-wallaby@{host}/0") is of_the_world


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("redis://:Zk48-wallaby@cache/0", "redis://:…@cache/0"),
        ("redis://shop:Zk48@wallaby@\0/0", "redis://shop:…@{…}/0"),
        ("redis://cache?password=Zk48&db=1", "redis://cache?password=…&db=1"),
    ],
)
def test_a_url_is_shown_without_its_password(url: str, shown: str) -> None:
    assert without_password(url) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("from_url('redis://:Zk48@cache/0')", "from_url('redis://:****@cache/0')"),
        ("'redis://shop:Zk@48@cache', 'rediss://:b2@c'", "'redis://shop:*****@cache', 'rediss://:**@c'"),
        ("'redis://cache?password=Zk48&db=1'", "'redis://cache?password=****&db=1'"),
        ("('redis://:'\n 'Zk48'\n '@cache')", "('redis://:*\n ******\n *@cache')"),
        ("'redis://:' + 'Zk48@cache'", "'redis://:* * *****@cache'"),
        ("f'redis://:{PASSWORD}@{HOST}'", "f'redis://:{PASSWORD}@{HOST}'"),
        ("'redis://:changeme@cache'", "'redis://:changeme@cache'"),
        ("'redis://cache:6379'\n\n@task", "'redis://cache:6379'\n\n@task"),
        ("'redis://cache:6379/0', 'ada@shop.eu'", "'redis://cache:6379/0', 'ada@shop.eu'"),
        ("x = 1  # no URL", "x = 1  # no URL"),
    ],
)
def test_a_text_is_shown_without_the_passwords_of_its_urls(text: str, shown: str) -> None:
    assert masked(text) == shown
    assert len(shown) == len(text)
