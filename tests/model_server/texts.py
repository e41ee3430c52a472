"""What models write that is no program."""

from typing import Final

LEGACY_PROGRAM: Final = """\
version: 1
name: orders-to-csv
connectors: [{id: shop, type: mysql}]
tasks: [{id: extract, source: shop, query: "SELECT * FROM orders"}]
outputs: [{id: file, type: csv, path: orders.csv}]
"""

UNFINISHED_PROGRAM: Final = """\
oml_version: "0.1.0"
name: orders-to-csv
steps:
  - id: extract-orders
    component: mysql.extractor
    config: {connection: "@shop", query: "SELECT
"""

PROSE: Final = "Of course! To count the orders, look at the orders table and count its rows. Anything else?"
