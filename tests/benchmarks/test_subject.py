from benchmarks import subject
from benchmarks.measure import run
from benchmarks.workshop import Workshop


def test_cold_forgets_the_cache_before_each_run(workshop: Workshop) -> None:
    cache = workshop.mid().cache
    cache.mkdir()

    run(subject.mid_cold(workshop), timeout=60)

    assert not cache.exists()


def test_warm_keeps_the_cache(workshop: Workshop) -> None:
    cache = workshop.huge().cache
    cache.mkdir()

    run(subject.huge_warm(workshop), timeout=60)

    assert cache.exists()


def test_one_file_differs_before_each_run(workshop: Workshop) -> None:
    edited = workshop.mid().root / workshop.mid().with_redis()[0]
    command = subject.mid_changed(workshop)
    texts = {edited.read_text(encoding="utf-8")}

    for _ in range(2):
        run(command, timeout=60)
        texts.add(edited.read_text(encoding="utf-8"))

    assert len(texts) == 3
    assert len({len(text.splitlines()) for text in texts}) == 2
