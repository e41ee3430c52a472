"""What is said of a path: whether it may be opened, why not, and where it really leads."""

from enum import StrEnum

from dragoman.contracts.record import Record


class PathDecision(StrEnum):
    ALLOW = "allow"
    DENY = "deny"


class PathCode(StrEnum):
    """Why a path is denied; of several reasons, the one that stands first here."""

    ROOT_INVALID = "invalid_root"
    NOT_TEXT = "not_text"
    EMPTY = "empty_path"
    TOO_LONG = "path_too_long"
    NUL = "nul_character"
    CONTROL = "control_character"
    NOT_ENCODABLE = "not_encodable"
    INVISIBLE = "invisible_character"
    UNC = "unc_path"
    DRIVE = "drive_letter"
    SCHEME = "url_scheme"
    BACKSLASH = "backslash"
    HOME = "home_folder"
    PERCENT = "percent_encoded"
    UNICODE_FORM = "unicode_form"
    COMPONENT_TOO_LONG = "component_too_long"
    DOTS = "disguised_dots"
    PROTECTED = "protected_path"
    DEVICE = "device_name"
    STREAM = "alternate_data_stream"
    SYMLINK_LOOP = "symlink_loop"
    SYMLINK_ESCAPE = "symlink_escape"
    OUTSIDE = "outside_workspace"
    UNREADABLE = "unreadable_folder"
    SPECIAL_FILE = "special_file"


MESSAGES: dict[PathCode, str] = {
    PathCode.ROOT_INVALID: "the root is not a folder that can be looked into",
    PathCode.NOT_TEXT: "the path is not a text",
    PathCode.EMPTY: "the path is empty",
    PathCode.TOO_LONG: "the path is longer than 4,096 bytes",
    PathCode.NUL: "the path has a NUL in it",
    PathCode.CONTROL: "the path has a control character in it",
    PathCode.NOT_ENCODABLE: "the path has half of a character in it and cannot be written as UTF-8",
    PathCode.INVISIBLE: "the path has a character in it that cannot be seen",
    PathCode.UNC: "the path begins with two slashes, which name another machine",
    PathCode.DRIVE: "the path begins with the letter of a drive",
    PathCode.SCHEME: "this is an address, not a path",
    PathCode.BACKSLASH: "the path has a backslash in it; write /",
    PathCode.HOME: "the path begins with ~, which stands for somebody's home folder",
    PathCode.PERCENT: "the path has a dot, a slash or a control character written with %",
    PathCode.UNICODE_FORM: "the path has a character that stands for a slash or for dots",
    PathCode.COMPONENT_TOO_LONG: "a name in the path is longer than 255 bytes",
    PathCode.DOTS: "a name in the path is made of dots and spaces alone",
    PathCode.PROTECTED: "the path leads into a folder that belongs to the workspace itself",
    PathCode.DEVICE: "a name in the path is the name of a device on some systems",
    PathCode.STREAM: "a name in the path has a colon in it",
    PathCode.SYMLINK_LOOP: "the links on the way lead in a circle, or are too many",
    PathCode.SYMLINK_ESCAPE: "a link on the way leads out of the workspace",
    PathCode.OUTSIDE: "the path leads out of the workspace",
    PathCode.UNREADABLE: "a folder on the way cannot be looked into",
    PathCode.SPECIAL_FILE: "this is a pipe, a socket or a device, not a file",
}


class PathVerdict(Record, frozen=True):
    """`resolved` is the absolute path to open when it is allowed, without links and dots.

    What was written must not be opened in its place: between the two a link may lead elsewhere.
    """

    verdict: PathDecision
    code: PathCode | None
    message: str
    resolved: str | None = None


def denied(code: PathCode) -> PathVerdict:
    return PathVerdict(PathDecision.DENY, code, MESSAGES[code])


def allowed(resolved: str) -> PathVerdict:
    return PathVerdict(PathDecision.ALLOW, None, "the path stays in the workspace", resolved)
