"""The OpenAPI document as a page: it needs no script and no other server."""

import json
from collections.abc import Iterator
from html import escape
from typing import Any

Schema = dict[str, Any]


def openapi_page(document: Schema) -> str:
    info = document["info"]
    tags: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            tag = operation.get("tags", ["other"])[0]
            tags.setdefault(tag, []).append("".join(_operation(method, path, operation)))
    routes = "".join(f"<h2>{escape(tag)}</h2>{''.join(found)}" for tag, found in tags.items())
    schemas = "".join(_schemas(document.get("components", {}).get("schemas", {})))
    title = f"{escape(info['title'])} {escape(info['version'])}"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f'<title>{escape(info["title"])}</title><link rel="stylesheet" href="/style.css"></head><body><main>'
        f"<h1>{title}</h1><p>{escape(info.get('description', ''))}</p>"
        f'<p><a href="/openapi.json">openapi.json</a></p>{routes}<h2>schemas</h2>{schemas}'
        "</main></body></html>\n"
    )


def _operation(method: str, path: str, operation: Schema) -> Iterator[str]:
    about = operation.get("description") or operation.get("summary", "")
    yield f'<details><summary><span class="method">{escape(method.upper())}</span>'
    yield f"<code>{escape(path)}</code></summary><p>{escape(about)}</p>"
    parameters = operation.get("parameters", [])
    if parameters:
        yield "<table><tr><th>parameter</th><th>in</th><th>type</th><th></th></tr>"
        for each in parameters:
            needed = "required" if each.get("required") else ""
            told = " ".join(filter(None, (needed, each.get("description", ""))))
            yield f"<tr><td><code>{escape(each['name'])}</code></td><td>{escape(each['in'])}</td>"
            yield f"<td>{_type(each.get('schema', {}))}</td><td>{escape(told)}</td></tr>"
        yield "</table>"
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        yield f"<p>body <code>{escape(kind)}</code>: {_type(content.get('schema', {}))}</p>"
    yield "<table><tr><th>status</th><th></th><th>body</th></tr>"
    for status, response in sorted(operation.get("responses", {}).items()):
        bodies = ", ".join(
            f"<code>{escape(kind)}</code> {_type(content.get('schema', {}))}"
            for kind, content in response.get("content", {}).items()
        )
        told = escape(response.get("description", ""))
        yield f"<tr><td>{escape(status)}</td><td>{told}</td><td>{bodies}</td></tr>"
    yield "</table></details>"


def _schemas(schemas: dict[str, Schema]) -> Iterator[str]:
    for name, schema in sorted(schemas.items()):
        text = json.dumps(schema, indent=2, ensure_ascii=False)
        yield f'<details id="{escape(name)}"><summary><code>{escape(name)}</code></summary>'
        yield f"<p>{escape(schema.get('description', ''))}</p><pre>{escape(text)}</pre></details>"


def _type(schema: Schema) -> str:
    reference = schema.get("$ref", "")
    if reference:
        name = escape(reference.rpartition("/")[2])
        return f'<a href="#{name}">{name}</a>'
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(_type(each) for each in schema[several])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    if "enum" in schema:
        return escape(" | ".join(str(each) for each in schema["enum"]))
    return escape(str(schema.get("type", "any")))
