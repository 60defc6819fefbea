"""Functions that no test called, file by file: python tools/uncovered.py build/coverage/coverage.json, by gcovr."""

import json
import sys


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        files = json.load(f)["files"]
    called, line_of = {}, {}
    for file in files:
        if not file["file"].endswith(".c") or "/loops/" in file["file"]:
            continue  # loops are made from tables, one for each combination of dtypes
        for function in file.get("functions", ()):
            if "execution_count" in function:
                key = file["file"], function["name"]
                called[key] = called.get(key, 0) + function["execution_count"]
                line_of[key] = function["lineno"]
    missed = {}
    for (path, name), count in called.items():
        if count == 0:
            missed.setdefault(path, []).append((line_of[path, name], name))
    for path in sorted(missed):
        print(path + ":", " ".join(name for _, name in sorted(missed[path])))
    print(f"{sum(map(len, missed.values()))} of {len(called)} functions were not called")


if __name__ == "__main__":
    main()
