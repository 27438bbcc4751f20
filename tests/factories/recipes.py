"""The recipes for engines on the page `bulk.md`, and how each is run here: with two processes and without a network."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds

from factories.documents import blocks

DOCS = Path(__file__).parent.parent.parent / "docs"
ENGINES = {"polars": "polars", "duckdb": "duckdb", "dask": "distributed", "ray": "ray", "spark": "pyspark"}
"""The engines, and a module that each needs."""
FORMAT, DAY = "magic/modern", "2026-08-20"
"""The format and the day of the recipes."""

_FIRST = {
    "ray": "import os, ray; ray.init(num_cpus=2, include_dashboard=False, _temp_dir=os.environ['RAY_TMPDIR'])"
}
_SPARK = {
    "spark.master": "local[2]",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
}


def recipes(lang: str = "en") -> dict[str, str]:
    """The code of each engine's recipe."""
    page = (DOCS / lang / "bulk.md").read_text("utf-8")
    codes = {block.title: block.body for block in blocks(page) if block.kind == "python"}
    return {engine: codes[f"with_{engine}.py"] for engine in ENGINES}


def missing(engine: str) -> str | None:
    """What the engine lacks here."""
    if find_spec(ENGINES[engine]) is None:
        return f"{ENGINES[engine]} isn't installed"
    if engine == "spark" and not (shutil.which("java") or os.environ.get("JAVA_HOME")):
        return "there is no Java"
    return None


def command_of(engine: str, folder: Path) -> list[str]:
    """Write an engine's recipe into a folder; the command that runs it there."""
    file = folder / f"with_{engine}.py"
    file.write_text(recipes()[engine], encoding="utf-8")
    first = _FIRST.get(engine, "")
    code = f"{first}\nimport runpy; runpy.run_path({str(file)!r}, run_name='__main__')"
    return [sys.executable, *(["-c", code] if first else [str(file)])]


def environment_of(scratch: Path, rows_of_spark: int = 10_000) -> dict[str, str]:
    """For a process that runs a recipe; `scratch` has a short path, and Spark's batches have so many rows."""
    spark = _SPARK | {"spark.sql.execution.arrow.maxRecordsPerBatch": str(rows_of_spark)}
    options = " ".join(f"--conf {name}={value}" for name, value in spark.items())
    return os.environ | {
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_SUBMIT_ARGS": f"{options} pyspark-shell",
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(scratch),
        "RAY_TMPDIR": str(scratch),
        "RAY_USAGE_STATS_ENABLED": "0",
    }


def run(engine: str, folder: Path, scratch: Path, seconds: float = 300) -> pa.Table:
    """The verdicts of a recipe on the decks in a folder. Raises RuntimeError with what it prints if it fails."""
    with (folder / "output.txt").open("w+", encoding="utf-8", errors="replace") as output:
        status = subprocess.run(
            command_of(engine, folder),
            cwd=folder,
            env=environment_of(scratch, rows_of_spark=100),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            timeout=seconds,
        ).returncode
    if status:
        raise RuntimeError((folder / "output.txt").read_text("utf-8", errors="replace")[-5000:])
    return ds.dataset(folder / "verdicts").to_table()
