#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes what the release consists of, and what is inside of it, as SPDX 2.3: the same bytes for the same files.

Usage: sbom.py VERSION TIME COMPILER FILE...    TIME in seconds since 1970; COMPILER is what `swiftc --version` says.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import pathlib
import re
import sys

# What the binaries have of others, or load: name, licence, how it stands to the binaries, and what there is to say.
OTHERS = [
    ("Swift-standard-library", "Apache-2.0 WITH Swift-exception", "STATIC_LINK", "specialised generic functions"),
    ("libc", "NOASSERTION", "DYNAMIC_LINK", "the C library of the system, the only need of libswiftobserver"),
    ("libmosquitto", "EPL-2.0 OR BSD-3-Clause", "OPTIONAL_DEPENDENCY_OF", "loaded by the first relay to a broker"),
    ("libsystemd", "LGPL-2.1-or-later", "OPTIONAL_DEPENDENCY_OF", "loaded by the first relay to a bus"),
]


def identity(name: str) -> str:
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(name: str, version: str, licence: str, comment: str, sha256: str | None = None) -> dict[str, object]:
    known: dict[str, object] = {
        "SPDXID": identity(name),
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
        "comment": comment,
    }
    if sha256:
        known["checksums"] = [{"algorithm": "SHA256", "checksumValue": sha256}]
    return known


def relation(one: str, kind: str, other: str) -> dict[str, str]:
    # "A optional dependency of B" is told from its side.
    if kind.endswith("_OF"):
        one, other = other, one
    return {"spdxElementId": one, "relationshipType": kind, "relatedSpdxElement": other}


def main(version: str, time: str, compiler: str, files: list[str]) -> None:
    artefacts = {pathlib.Path(file).name: hashlib.sha256(pathlib.Path(file).read_bytes()).hexdigest() for file in files}
    whole = hashlib.sha256("".join(sorted(artefacts.values())).encode()).hexdigest()
    packages = [package("swiftobserver", version, "MIT", "the project")]
    relations = [relation("SPDXRef-DOCUMENT", "DESCRIBES", identity("swiftobserver"))]
    for name, sha256 in sorted(artefacts.items()):
        packages.append(package(name, version, "MIT", "a file of the release", sha256))
        relations.append(relation(identity("swiftobserver"), "CONTAINS", identity(name)))
    for name, licence, kind, comment in OTHERS:
        of = compiler if name.startswith("Swift") else "NOASSERTION"
        packages.append(package(name, of, licence, comment))
        relations.append(relation(identity("swiftobserver"), kind, identity(name)))
    created = datetime.datetime.fromtimestamp(int(time), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"swiftobserver-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/swiftobserver-{version}-{whole}",
        "creationInfo": {"created": created, "creators": ["Tool: Tests/Package/sbom.py"]},
        "packages": packages,
        "relationships": relations,
    }
    print(json.dumps(document, indent=2))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:])
