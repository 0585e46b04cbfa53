"""Runs tools/verify_receipt.py on each member of a file of vectors.

    run_vectors.py TOOLS_FOLDER VECTORS

Prints, for each member of the JSON file, the number of its cases, and the cases whose result is not the expected one. A
member without a handler is an error.
"""

import json
import re
import sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import verify_receipt as tool  # noqa: E402


def code_of(function, *arguments):
    """The result, or the code of the fault."""
    try:
        return function(*arguments)
    except tool.Fault as fault:
        return fault.code


witness_key = tool.parse_witness_key


def result_of(report):
    return report.get("code", "verified")


def canonical_text(one):
    text = one["text"].encode("utf-8", "surrogatepass")
    found = code_of(lambda: tool.canonical_json(tool.JsonDocument(text).value))
    return found, one.get("canonical", one.get("fault"))


def claimed_digest(one):
    digest = code_of(lambda: tool.digest_text(tool.record_digest(one["kind"], one["body"], one["salts"])))
    return digest == one["claimed"], one["digest"] is not None


def valid_digest(one):
    digest = code_of(lambda: tool.digest_text(tool.record_digest(one["kind"], one["body"], one["salts"])))
    return digest, one["digest"]


def invalid_digest(one):
    try:
        found, digest = valid_digest(one)
    except UnicodeEncodeError:
        # A lone surrogate. The reader of documents refuses it.
        return False, False
    return found == digest, False


def checkpoint(one):
    key = tool.parse_trusted_key(one["key"])
    found = code_of(lambda: tool.verify_checkpoint(one["text"], key).size)
    return found, one["result"]


def consistency(one):
    heads = [(int(one[end]["size"]), tool.from_base64(one[end]["root"]) or b"") for end in ("from", "to")]
    path = [tool.from_base64(item) or b"" for item in one["path"]]
    return tool.is_consistent(*heads, path), one["isValid"]


def document(one):
    report = tool.verify(one["text"].encode("utf-8", "surrogatepass"),
                         tool.parse_trusted_key(one["key"]), one["strict"])
    found = [result_of(report), report.get("warnings", [])]
    expected = [one["result"], one["warnings"]]
    if "signedOnly" in one:
        return [*found, report.get("signedOnly")], [*expected, one["signedOnly"]]
    return found, expected


def map_value(one):
    chains = [(int(chain["count"]), tool.from_base64(chain["head"])) for chain in one["chains"]]
    return tool.map_value(chains).hex(), one["value"]


def cosignature(one):
    return tool.cosignature_time(tool.parse_checkpoint(one["note"]), witness_key(one["key"])), one["result"]


def quorum(one):
    witnesses = [witness_key(text) for text in one["witnesses"]]
    return result_of(tool.verify_witnesses(one["note"], witnesses, one["quorum"])), one["result"]


def request(one):
    """The body of a request to a witness (C2SP tlog-witness, add-checkpoint)."""
    head, separator, note = one["body"].partition("\n\n")
    first, *lines = head.split("\n")
    old = re.fullmatch("old (0|[1-9][0-9]{0,15})", first)
    hashes = [tool.from_base64(line) for line in lines]
    is_whole = separator and old and all(len(item or b"") == 32 for item in hashes) and len(lines) <= 63
    size = code_of(lambda: tool.parse_checkpoint(note).size) if is_whole else None
    if not isinstance(size, int) or not int(old[1]) <= min(size, tool.MAX_INTEGER):
        return None, one["result"]
    return {"oldSize": int(old[1]), "hashes": lines, "size": size}, one["result"]


def signed_line(one):
    """The seed signs exactly this line."""
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(one["seedHex"]))
    public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
    message = "cosignature/v1\ntime %d\n%s" % (one["timeSeconds"], one["text"])
    signature = tool.uint64(one["timeSeconds"]) + key.sign(tool.utf8(message))
    identifier = bytes.fromhex(tool.key_id(one["name"], public, tool.WITNESS_KEY))
    return "\u2014 %s %s\n" % (one["name"], tool.to_base64(identifier + signature)), one["line"]


def policy_file(one):
    def read():
        tool.parse_policy(tool.utf8(one["file"]))
    return code_of(read), one["fault"]


def policy_checkpoint(one):
    policy = tool.parse_policy(tool.utf8(one["file"]))
    return result_of(tool.verify_policy(one["note"], policy)), one["result"]


def is_log_key(text):
    key = tool.parse_trusted_key(text)
    return key is not None and key.name is not None


def log_key(text):
    return is_log_key(text), True


def log_keys(one):
    """The keys of a history. A retired key has the size of the largest tree that it may sign."""
    def follow():
        keys = tool.verify_key_history(one["text"].encode("utf-8"), tool.parse_trusted_key(one["key"]))
        return [{"publicKey": key.public.hex(), "maxSize": key.max_size} for key in keys]
    return code_of(follow), one["keys"] if one["result"] == "verified" else one["result"]


def document_by_keys(history):
    def check(one):
        keys = [tool.parse_trusted_key(text) for text in one["keys"]]
        report = tool.verify_with_history(one["text"].encode("utf-8"), keys, history.encode("utf-8"))
        return result_of(report), one["result"]
    return check


def timestamp_by_authorities(certificates):
    anchors = {name: tool.parse_anchors(tool.utf8(pem)) for name, pem in certificates.items()}

    def check(one):
        key = tool.parse_trusted_key(one["key"])._replace(max_size=one["maxSize"])
        report = tool.verify_timestamp(
            tool.utf8(one["text"]), key, one["digest"], anchors[one["trusted"]])
        found = [result_of(report), report.get("time"), report.get("authority")]
        return found, [one["result"], one["time"], one["authority"]]
    return check


def expected_with_ml_dsa(one):
    """The expected result of a vector with ML-DSA-44, which depends on the package cryptography."""
    return one["result" if tool.has_ml_dsa() else "resultWithout"]


def by_witnesses(texts):
    witnesses = {name: witness_key(text) for name, text in texts.items()}

    def check_cosignature(one):
        checkpoint, witness = tool.parse_checkpoint(one["note"]), witnesses[one["key"]]
        found = tool.cosignature_time(checkpoint, witness)
        expected = expected_with_ml_dsa(one)
        if "message" not in one:
            return found, expected
        message = tool.subtree_message(checkpoint, witness.name, int(one["result"]))
        return [found, message.hex()], [expected, one["message"]]

    def check_quorum(one):
        trusted = [witnesses[name] for name in one["witnesses"]]
        return result_of(tool.verify_witnesses(one["note"], trusted, one["quorum"])), expected_with_ml_dsa(one)
    return {"cosignatures": check_cosignature, "policies": check_quorum}


def policy_with_ml_dsa(one):
    return policy_checkpoint(one)[0], expected_with_ml_dsa(one)


HANDLERS = {
    "receipts-v1.json": {
        "key": log_key, "canonicalJson": canonical_text, "recordDigests": claimed_digest,
        "checkpoints": checkpoint, "consistency": consistency, "documents": document,
        "verifierKeys": lambda one: (is_log_key(one["text"]), one["isValid"])},
    "proven-bundles-v2.json": {
        "key": log_key, "values": map_value, "documents": document,
        "actionKeys": lambda one: (tool.action_key(one["id"]).hex(), one["key"])},
    "witnesses-v1.json": {
        "witnessKeys": lambda one: (witness_key(one["text"]) is not None, one["isValid"]),
        "cosignatures": cosignature, "policies": quorum, "requests": request, "signed": signed_line},
    "witnesses-ml-dsa-v1.json": {
        "witnesses": lambda texts: (all(witness_key(text) for text in texts.values()), True),
        "witnessKeys": lambda one: (witness_key(one["text"]) is not None, one["isValid"]),
        "files": policy_with_ml_dsa},
    "policies-v1.json": {"files": policy_file, "checkpoints": policy_checkpoint},
    "log-keys-v1.json": {"history": lambda text: (isinstance(text, str), True), "histories": log_keys},
    "timestamps-v1.json": {
        "certificates": lambda one: (all(tool.parse_anchors(tool.utf8(pem)) for pem in one.values()), True)},
    "record-digest-v1.json": {"valid": valid_digest, "invalid": invalid_digest},
}


def main(file):
    with open(file, "rb") as opened:
        # The verifier reads numbers as floats. Its reader of documents would refuse texts that some vectors need.
        vectors = json.loads(opened.read().decode("utf-8"), parse_int=float)
    handlers = dict(HANDLERS[file.replace("\\", "/").rsplit("/", 1)[1]])
    if "history" in vectors:
        handlers["documents"] = document_by_keys(vectors["history"])
    if "witnesses" in vectors:
        handlers.update(by_witnesses(vectors["witnesses"]))
    if "certificates" in vectors:
        handlers["documents"] = timestamp_by_authorities(vectors["certificates"])
    result = {}
    for member, cases in vectors.items():
        cases = cases if isinstance(cases, list) else [cases]
        pairs = [handlers[member](one) for one in cases]
        differing = [[index, *pair] for index, pair in enumerate(pairs) if pair[0] != pair[1]]
        result[member] = {"count": len(pairs), "differing": differing}
    print(json.dumps(result))


main(sys.argv[2])
