"""Records a file with its maker, and reads its history back. Needs Python 3.9 or later, and only the standard library.

    COLOPHON_API_KEY=... python3 record_file.py photo.jpg [name of who made it]
"""

import json
import mimetypes
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid
from pathlib import Path

BASE = os.environ.get("COLOPHON_URL", "http://localhost:3001")
KEY = os.environ.get("COLOPHON_API_KEY", "")


def call(method, path, body=None, content_type="application/json"):
    """Returns the JSON of the response. Ends the program with the error message of the service if the call fails."""
    headers = {"Authorization": f"Bearer {KEY}"}
    if body is not None:
        headers["Content-Type"] = content_type
    request = urllib.request.Request(BASE + path, data=body, headers=headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        error = json.load(refusal)["error"]
        if error["code"] == "Duplicate":
            return {"cid": error["details"]["cid"], "isKnown": True}
        sys.exit(f"{refusal.code} {error['code']}: {error['message']} {error.get('recovery', '')}")


def record(file, name):
    """Records the bytes of a file, with a person of this name as the maker. Sends multipart/form-data (RFC 7578)."""
    boundary = uuid.uuid4().hex
    said = json.dumps({"entity": {"id": f"people:{name}", "role": "human", "name": name}, "action": {"type": "create"}})
    media_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="json"\r\n\r\n{said}\r\n'.encode(),
        f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="upload"\r\n'
        f"Content-Type: {media_type}\r\n\r\n".encode(),
        file.read_bytes(),
        f"\r\n--{boundary}--\r\n".encode(),
    ]
    return call("POST", "/v1/activity", b"".join(parts), f"multipart/form-data; boundary={boundary}")


def main():
    if len(sys.argv) < 2 or not KEY:
        sys.exit(__doc__)
    name = sys.argv[2] if len(sys.argv) > 2 else "Ann"
    recorded = record(Path(sys.argv[1]), name)
    print("was recorded before:" if recorded.get("isKnown") else "recorded", recorded["cid"])
    bundle = call("GET", "/v1/bundle/" + urllib.parse.quote(recorded["cid"], safe=""))
    names = {entity["id"]: entity.get("name", entity["id"]) for entity in bundle["entities"]}
    for action in bundle["actions"]:
        print(action["recordedAt"], action["type"], "by", names.get(action["performedBy"], action["performedBy"]))


main()
