import subprocess
from pathlib import Path

# In two pieces, so that this file does not hold what it forbids.
FORBIDDEN = {
    "false " + "positive": "say false alarm",
    "false " + "negative": "say missed alarm",
    "TO" + "DO": "do it or leave it out",
    "FIX" + "ME": "do it or leave it out",
}


def _tracked_text(root: Path) -> dict[str, str]:
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ".", ":!fixtures"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    texts = {}
    for name in names.split("\0"):
        if (root / name).is_file():
            texts[name] = (root / name).read_text(encoding="utf-8", errors="replace")
    return texts


def test_no_file_uses_a_word_the_house_avoids(root: Path) -> None:
    texts = _tracked_text(root)
    used = [
        f"{name}: {word}: {instead}"
        for name, text in texts.items()
        for word, instead in FORBIDDEN.items()
        if (word in text if word.isupper() else word in text.lower())
    ]

    assert "README.md" in texts
    assert used == []
