"""What goes out of a script: all of it but its comments."""

from app.assets import CAST, REMARK, STATIC, bare


def test_comments_on_lines_of_their_own_stay_at_home() -> None:
    script = """// @ts-check
/** @type {number} */
const a = 1 // a note at the end of a line stays
/**
 * Of several lines.
 * @param {string} b */
  /** @type {any} */ ;(f(a)).g = 'http://x/*'
  // what follows is no comment
const c = a /* within */ * 2
"""
    assert bare(script).splitlines() == ["", "", "const a = 1 // a note at the end of a line stays", "", "", "",
                                         "  ;(f(a)).g = 'http://x/*'", "",
                                         "const c = a /* within */ * 2"]  # fmt: skip


def test_nothing_within_a_text_is_taken_for_a_comment() -> None:
    """A text of several lines with one that begins like a comment would lose it."""
    for path in STATIC.rglob("*.js"):
        marks = 0
        for code in REMARK.split(path.read_text())[:-1]:
            marks += code.count("`")
            assert marks % 2 == 0, f"{path}: a comment within a text"


def test_no_type_is_said_within_quotes() -> None:
    for path in STATIC.rglob("*.js"):
        for line in path.read_text().splitlines():
            for cast in CAST.finditer(line):
                before = line[: cast.start()]
                assert all(before.count(quote) % 2 == 0 for quote in "'\""), f"{path}: {line}"
