#!/usr/bin/env python3
"""Offline verifier of receipts and time-stamps (version 1) and proven bundles (versions 1 and 2).

    verify_receipt.py FILE --key VKEY... [--keys KEYS] [--strict] [--witness WITNESS]... [--quorum N]
    verify_receipt.py FILE --key VKEY... [--keys KEYS] [--strict] --policy POLICY
    verify_receipt.py RECEIPT --key VKEY... [--keys KEYS] --timestamp TIMESTAMP --tsa-ca PEM
    verify_receipt.py FILE --lines

--keys names a file with the key history of the log (version 1). The verifier follows it from the key of --key.

The report is one JSON object on standard output (with --lines: one for each line).
Exit code: 0 verified, 2 wrong use, 3 not verified. With --lines, 0 means that all lines were read, verified or not.
"""

import argparse
import base64
import hashlib
import json
import re
import sys
from collections import namedtuple
from datetime import datetime

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

try:
    # Present since cryptography 48, with OpenSSL 3.5 or later.
    from cryptography.hazmat.primitives.asymmetric.mldsa import MLDSA44PublicKey
except ImportError:
    MLDSA44PublicKey = None

MAX_INTEGER = 2**53 - 1
WRONG_USE, NOT_VERIFIED = 2, 3
MAX_NESTING, MAX_BODY_DEPTH = 64, 40
MAX_TREE_PATH, MAX_MAP_PATH, MAX_SIGNATURES = 53, 256, 100
BUNDLE_TYPE = "application/vnd.colophon.bundle+json"
HANDOVER_TYPE = "application/vnd.colophon.log-handover+json"
MAX_KEYS = 1000
WHITE_SPACE = frozenset(
    "\t\n\v\f\r \u00a0\u1680"
    + "".join(chr(c) for c in range(0x2000, 0x200B))
    + "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
UNCOMMITTED = ("onchain", "recordedAt", "digest", "locations")
KINDS = ("entity", "action", "attribution")
NAME_CHAINS = {1: ("made", "used"), 2: ("made", "used", "attributed")}


class Fault(Exception):
    """A failed check. Its code becomes the code of the report."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class WrongUse(Exception):
    """The caller passed an unusable key, quorum or file."""


def require(condition, code):
    if not condition:
        raise Fault(code)


# --- Hashes, base64, signatures -------------------------------------------------------------------

def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def utf8(text):
    return text.encode("utf-8")


def uint64(number):
    return int(number).to_bytes(8, "big")


def from_base64(text):
    """Decodes base64. None if the text is not the canonical base64 of its bytes."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode("ascii") == text else None


def to_base64(data):
    return base64.b64encode(data).decode("ascii")


def signature_verifies(public_key, signature, message):
    if len(signature) != 64:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


# --- JSON -----------------------------------------------------------------------------------------

# Parsed numbers are always floats, because Python treats booleans as integers.


class Members(list):
    """The members of an object as pairs, as they stand in the text."""


class JsonDocument:
    """A parsed text, and whether a number in it does not have the form of RFC 8785."""

    def __init__(self, data):
        self.other_number_text = False
        self.duplicate_member = False
        try:
            raw = json.loads(
                data.decode("utf-8"), object_pairs_hook=Members, parse_int=self._number,
                parse_float=self._number, parse_constant=self._constant)
        except (ValueError, RecursionError):
            raise Fault("malformed") from None
        self.value = self._build(raw, 0)
        # A duplicate member is reported only if the text has no other fault.
        require(not self.duplicate_member, "duplicateMember")

    def _number(self, text):
        number = float(text)
        require(abs(number) != float("inf"), "malformed")
        if number_text(number) != text:
            self.other_number_text = True
        return number

    @staticmethod
    def _constant(_text):
        raise Fault("malformed")

    def _build(self, raw, level):
        if isinstance(raw, str):
            return self._text(raw)
        if not isinstance(raw, list):
            return raw
        require(level < MAX_NESTING, "malformed")
        if not isinstance(raw, Members):
            return [self._build(item, level + 1) for item in raw]
        result = {}
        for name, value in raw:
            require(self._text(name) != "__proto__", "malformed")
            if name in result:
                self.duplicate_member = True
            result[name] = self._build(value, level + 1)
        return result

    @staticmethod
    def _text(text):
        has_surrogate = any("\ud800" <= char <= "\udfff" for char in text)
        require("\0" not in text and not has_surrogate, "malformed")
        return text


def number_text(number):
    """The text of a double in RFC 8785, section 3.2.2.3."""
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    mantissa, _, exponent = repr(abs(number)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    if fraction == "0":
        fraction = ""
    # The value is 0.DIGITS * 10^point.
    point = len(whole) + int(exponent or 0)
    digits = whole + fraction
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    digits = stripped.rstrip("0")
    if len(digits) <= point <= 21:
        return sign + digits.ljust(point, "0")
    if 0 < point <= 21:
        return sign + digits[:point] + "." + digits[point:]
    if -6 < point <= 0:
        return sign + "0." + "0" * -point + digits
    tail = "." + digits[1:] if len(digits) > 1 else ""
    return "%s%s%se%+d" % (sign, digits[0], tail, point - 1)


def canonical_json(value):
    """RFC 8785. Names are sorted by their UTF-16 code units."""
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        members = (canonical_json(name) + ":" + canonical_json(value[name]) for name in names)
        return "{" + ",".join(members) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical_json(item) for item in value) + "]"
    if isinstance(value, float):
        return number_text(value)
    return json.dumps(value, ensure_ascii=False)


def canonical_bytes(value):
    return utf8(canonical_json(value))


# --- Forms ----------------------------------------------------------------------------------------

# A form is a function that returns whether a value has this form.


def is_text(value):
    return isinstance(value, str)


def is_object(value):
    return isinstance(value, dict)


def is_number(value, number):
    return isinstance(value, float) and value == number


def is_integer(value, least=0):
    return isinstance(value, float) and value.is_integer() and least <= value <= MAX_INTEGER


def is_positive(value):
    return is_integer(value, 1)


def is_hash(value):
    return is_text(value) and len(from_base64(value) or b"") == 32


def matches(pattern):
    compiled = re.compile(pattern)
    return lambda value: is_text(value) and compiled.fullmatch(value) is not None


def one_of(*texts):
    return lambda value: is_text(value) and value in texts


def list_of(form, most=None):
    def check(value):
        is_short = isinstance(value, list) and (most is None or len(value) <= most)
        return is_short and all(form(item) for item in value)
    return check


def map_of(form, name_form=is_text):
    def check(value):
        return is_object(value) and all(name_form(k) and form(v) for k, v in value.items())
    return check


def members(required, optional=None, open_ended=False):
    """The form of an object with all required members. Only an open-ended object may have unknown members."""
    forms = {**required, **(optional or {})}
    def check(value):
        if not is_object(value) or not all(name in value for name in required):
            return False
        is_known = open_ended or all(name in forms for name in value)
        return is_known and all(form(value[n]) for n, form in forms.items() if n in value)
    return check


def is_shallow(value):
    """Whether there are at most 40 levels below the value."""
    level = [value]
    for _ in range(MAX_BODY_DEPTH + 1):
        below = []
        for item in level:
            if isinstance(item, (dict, list)):
                below.extend(item.values() if isinstance(item, dict) else item)
        level = below
    return not level

is_record_digest = matches(r"sha256:[0-9a-f]{64}")
is_origin = lambda value: is_text(value) and value != ""
is_tree_path = list_of(is_hash, MAX_TREE_PATH)
is_salts = map_of(is_text)
is_pointer = matches(r"(?s:(/([^~/]|~[01])*)*)")

is_heads = members({"index": is_integer, "size": is_positive, "path": is_tree_path})
is_anchor = members(
    {"root": is_hash, "chainId": is_positive, "chainName": is_text,
     "contractAddress": matches(r"0x[0-9a-fA-F]{40}"), "txHash": matches(r"0x[0-9a-f]{64}"),
     "blockNumber": is_integer, "logIndex": is_integer},
    {"heads": is_heads})
is_receipt_record = members(
    {"kind": one_of(*KINDS), "digest": is_record_digest, "salts": is_salts,
     "body": lambda value: is_object(value) and is_shallow(value)})
is_log = members(
    {"origin": is_origin, "leafIndex": is_integer,
     "leafHash": is_hash, "inclusionPath": is_tree_path, "checkpoint": is_text})
is_receipt = members(
    {"version": lambda value: is_number(value, 1), "record": is_receipt_record, "log": is_log},
    {"anchor": is_anchor})


def is_signature(value):
    return is_text(value) and len(from_base64(value) or b"") == 64

is_handover = members(
    {"statement": members(
        {"version": lambda value: is_number(value, 1), "kind": one_of("handover"),
         "from": is_hash, "to": is_hash}),
     "signatures": members({"from": is_signature, "to": is_signature}),
     "leafIndex": is_integer, "inclusionPath": is_tree_path})
is_key_history = members(
    {"version": lambda value: is_number(value, 1), "origin": is_origin,
     "keys": list_of(members({"verifierKey": is_text, "publicKey": is_text}), MAX_KEYS),
     "handovers": list_of(is_handover, MAX_KEYS), "checkpoint": is_text})

is_chain = members({"count": is_integer, "head": is_hash})
is_bit = lambda value: is_integer(value) and value <= 255
is_map_path = list_of(members({"bit": is_bit, "hash": is_hash}), MAX_MAP_PATH)
is_other = members({"key": is_hash, "value": is_hash})


def map_proof(*chains):
    return members({"path": is_map_path, **dict.fromkeys(chains, is_chain)}, {"other": is_other})


def bundle_form(version):
    """The form of a proven bundle of this version."""
    is_version = lambda value: is_number(value, version)
    statement = members(
        {"version": is_version, "kind": one_of("mentions"), "leaves": is_integer,
         "names": is_integer, "root": is_hash})
    mentions = {"statement": statement, "leafIndex": is_integer, "inclusionPath": is_tree_path,
                "byName": map_of(map_proof(*NAME_CHAINS[version]))}
    if version == 2:
        mentions["byAction"] = map_of(map_proof("attributed"))
    is_record = members(
        {"kind": one_of(*KINDS), "id": is_text, "digest": is_record_digest, "salts": is_salts,
         "leafIndex": is_integer, "inclusionPath": is_tree_path},
        {"erased": map_of(is_hash, is_pointer)})
    is_proof = members(
        {"version": is_version, "direction": one_of("ancestors", "descendants", "both"),
         "origin": is_origin, "checkpoint": is_text, "records": list_of(is_record),
         "mentions": members(mentions),
         "signatures": list_of(members({"keyid": is_text, "sig": is_text}), MAX_SIGNATURES)})
    action = {"id": is_text, "performedBy": is_text, "digest": is_text,
              "inputCids": list_of(is_text), "outputCids": list_of(is_text)}
    links = {"actionId": is_text, "resourceCid": is_text} if version == 2 else {}
    return members(
        {"cid": is_text, "complete": lambda value: isinstance(value, bool), "proof": is_proof,
         "entities": list_of(members({"id": is_text}, open_ended=True)),
         "actions": list_of(members(action, open_ended=True)),
         "attributions": list_of(members({"id": is_text, "entityId": is_text}, links, True))},
        {"aliases": map_of(is_text)}, open_ended=True)

BUNDLE_FORMS = {1: bundle_form(1), 2: bundle_form(2)}


# --- Record digest --------------------------------------------------------------------------------

def pointer_of(*names):
    return "".join("/" + name.replace("~", "~0").replace("/", "~1") for name in names)


def names_of(pointer):
    return [name.replace("~1", "/").replace("~0", "~") for name in pointer.split("/")[1:]]


def personal_fields(kind, record):
    """Maps the pointer of each present personal field to a pair: the object with the field, and the field's name."""
    fields = {}
    def note(parent, path, names):
        for name in names:
            if name in parent:
                fields[pointer_of(*path, name)] = (parent, name)

    own = {"entity": ("name", "wallet", "metadata"), "attribution": ("note",)}
    note(record, (), own.get(kind, ()))
    extensions = record.get("extensions")
    for key, extension in extensions.items() if is_object(extensions) else ():
        if not key.startswith("ext:ai@") or not is_object(extension):
            continue
        note(extension, ("extensions", key), ("prompt", "systemPrompt"))
        if is_object(extension.get("tool")):
            note(extension["tool"], ("extensions", key, "tool"), ("prompt", "systemPrompt"))
    return fields


def deep_copy(value):
    if isinstance(value, dict):
        return {name: deep_copy(item) for name, item in value.items()}
    if isinstance(value, list):
        return [deep_copy(item) for item in value]
    return value


def record_digest(kind, record, salts):
    """The digest as bytes.

    An invalid salt is a fault. A personal field that has no salt and is no commitment is a fault too.
    """
    committed = deep_copy({n: v for n, v in record.items() if n not in UNCOMMITTED})
    for pointer, (parent, name) in personal_fields(kind, committed).items():
        value = parent[name]
        if pointer in salts:
            salt = from_base64(salts[pointer])
            require(salt is not None and len(salt) == 16, "digestMismatch")
            parent[name] = {"c": to_base64(sha256(salt, canonical_bytes(value)))}
        else:
            require(members({"c": is_hash})(value), "digestMismatch")
    return sha256(canonical_bytes(committed))


def digest_text(digest):
    return "sha256:" + digest.hex()


def has_unused_salt(kind, record, salts):
    fields = personal_fields(kind, record)
    return any(pointer not in fields for pointer in salts)


def has_kind(kind, record):
    """Whether a record has the form of its kind: action, entity or attribution."""
    texts = list_of(is_text)
    if kind == "action":
        required = {"id": is_text, "type": is_text, "performedBy": is_text}
        required.update(inputCids=texts, outputCids=texts)
        forbidden = ()
    elif kind == "entity":
        required = {"id": is_text, "role": is_text}
        forbidden = ("performedBy", "entityId")
    else:
        required = {"id": is_text, "role": is_text, "entityId": is_text}
        forbidden = ("performedBy",)
    is_body = members(required, open_ended=True)
    return is_body(record) and not any(name in record for name in forbidden)


# --- Tree -----------------------------------------------------------------------------------------

def leaf_hash(data):
    return sha256(b"\0", data)


def node_hash(left, right):
    return sha256(b"\1", left, right)


def decoded_path(path):
    return [from_base64(text) for text in path]


def sides(node, last, count):
    """For each hash of a path, whether it is the left sibling. None if the length of the path is wrong."""
    result = []
    for _ in range(count):
        if last == 0:
            return None
        is_left = bool(node & 1) or node == last
        while is_left and node and not node & 1:
            node, last = node >> 1, last >> 1
        result.append(is_left)
        node, last = node >> 1, last >> 1
    return result if last == 0 else None


def is_included(index, size, leaf, path, root):
    """RFC 9162, section 2.1.3.2."""
    on_left = sides(int(index), int(size) - 1, len(path)) if index < size else None
    if on_left is None:
        return False
    found = leaf
    for is_left, sibling in zip(on_left, path):
        found = node_hash(sibling, found) if is_left else node_hash(found, sibling)
    return found == root


def require_leaf(index, leaf, path, checkpoint):
    require(index < checkpoint.size, "leafOutsideTree")
    require(is_included(index, checkpoint.size, leaf, path, checkpoint.root), "notIncluded")


def is_consistent(older, newer, path):
    """RFC 9162, section 2.1.4.2. A tree is a pair of its size and its root."""
    (size, root), (new_size, new_root) = older, newer
    if size > new_size or any(len(item) != 32 for item in (root, new_root, *path)):
        return False
    if size == new_size:
        return not path and root == new_root
    if size == 0:
        return not path and root == sha256()
    node, last = size - 1, new_size - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    # If the size of the older tree is a power of two, its root is the first node.
    path = [root, *path] if node == 0 else path
    on_left = sides(node, last, len(path) - 1) if path else None
    if on_left is None:
        return False
    found = new_found = path[0]
    for is_left, sibling in zip(on_left, path[1:]):
        if is_left:
            found, new_found = node_hash(sibling, found), node_hash(sibling, new_found)
        else:
            new_found = node_hash(new_found, sibling)
    return found == root and new_found == new_root


# --- Keys and checkpoints -------------------------------------------------------------------------

LOG_KEY, WITNESS_KEY, ML_DSA_WITNESS_KEY = b"\x01", b"\x04", b"\x06"
KEY_BYTES = {LOG_KEY: 32, WITNESS_KEY: 32, ML_DSA_WITNESS_KEY: 1312}
# A retired key has a max_size: the number of leaves of the largest tree that it may sign.
Key = namedtuple("Key", "name public max_size", defaults=(None,))
SignatureLine = namedtuple("SignatureLine", "name key_id signature")
Checkpoint = namedtuple("Checkpoint", "origin size root text head lines")


def is_name(text):
    return text != "" and "+" not in text and not WHITE_SPACE.intersection(text)


def key_id(name, public, algorithm=LOG_KEY):
    return sha256(utf8(name), b"\n", algorithm, public)[:4].hex()


def parse_named_key(text, algorithm):
    """The key of <name>+<key id>+<base64>, or None."""
    parts = text.split("+", 2)
    if len(parts) != 3 or not is_name(parts[0]):
        return None
    try:
        utf8(text)
    except UnicodeEncodeError:
        return None
    data = from_base64(parts[2])
    if data is None or len(data) != 1 + KEY_BYTES[algorithm] or data[:1] != algorithm:
        return None
    is_right = parts[1] == key_id(parts[0], data[1:], algorithm)
    return Key(parts[0], data[1:]) if is_right else None


def parse_witness_key(text):
    """The key of a witness, or None. The length of its public key shows the algorithm (is_ml_dsa)."""
    for algorithm in (WITNESS_KEY, ML_DSA_WITNESS_KEY):
        key = parse_named_key(text, algorithm)
        if key is not None:
            is_long = is_ml_dsa(key) and len(utf8(key.name)) > MAX_NAME_BYTES
            return None if is_long else key
    return None


def is_ml_dsa(witness):
    return len(witness.public) == KEY_BYTES[ML_DSA_WITNESS_KEY]


def parse_trusted_key(text):
    """Parses a verifier key, or the 64 hex digits of a public key (then without a name). Otherwise None."""
    if re.fullmatch("[0-9a-fA-F]{64}", text):
        return Key(None, bytes.fromhex(text))
    return parse_named_key(text, LOG_KEY)


def parse_checkpoint(note):
    """Parses a note, without a check of its signatures."""
    code = "malformedCheckpoint"
    require(not re.search(r"[\x00-\x09\x0b-\x1f]", note), code)
    text, separator, tail = note.rpartition("\n\n")
    require(separator and tail.endswith("\n"), code)
    text_lines = text.split("\n")
    require(len(text_lines) >= 3 and all(text_lines), code)
    origin, size, root = text_lines[:3]
    require(re.fullmatch(r"0|[1-9][0-9]{0,15}", size) and int(size) <= MAX_INTEGER, code)
    require(is_hash(root), code)
    lines = [parse_signature_line(line) for line in tail[:-1].split("\n")]
    require(len(lines) <= MAX_SIGNATURES and None not in lines, code)
    head = "".join(line + "\n" for line in text_lines[:3])
    return Checkpoint(origin, int(size), from_base64(root), utf8(text + "\n"), utf8(head), lines)


def parse_signature_line(line):
    parts = line.split(" ")
    if len(parts) != 3 or parts[0] != "\u2014" or not is_name(parts[1]):
        return None
    data = from_base64(parts[2])
    if data is None or len(data) < 5:
        return None
    return SignatureLine(parts[1], data[:4].hex(), data[4:])


def lines_of(checkpoint, name, identifier):
    return [line for line in checkpoint.lines if (line.name, line.key_id) == (name, identifier)]


def verify_checkpoint(note, key, document_origin=None):
    """Returns the checkpoint if the trusted key has signed it."""
    checkpoint = parse_checkpoint(note)
    require(document_origin in (None, checkpoint.origin), "otherOrigin")
    verify_checkpoint_of(checkpoint, key)
    return checkpoint


def verify_checkpoint_of(checkpoint, key):
    origin = checkpoint.origin
    require(key.name in (None, origin), "otherOrigin")
    require(is_name(origin), "untrustedKey")
    lines = lines_of(checkpoint, origin, key_id(origin, key.public))
    require(lines, "untrustedKey")
    for line in lines:
        require(signature_verifies(key.public, line.signature, checkpoint.text), "badSignature")


# --- Keys of a log --------------------------------------------------------------------------------

# Codes of faults that depend on the key: the same document may verify with another key.
FAULTS_OF_KEY = ("untrustedKey", "otherOrigin", "notSigned", "retiredKey")


def verify_key_history(data, trusted):
    """The keys from the trusted one to the present one. A wrong history is a fault."""
    history = JsonDocument(data).value
    if is_object(history):
        require(is_number(history.get("version"), 1), "unsupportedVersion")
    require(is_key_history(history), "malformed")
    origin = history["origin"]
    require(trusted.name in (None, origin), "otherOrigin")
    chain, public = [], trusted.public
    for handover in history["handovers"]:
        if from_base64(handover["statement"]["from"]) == public:
            chain.append(handover)
            public = from_base64(handover["statement"]["to"])
    signers = {trusted.public, *(from_base64(one["statement"]["to"]) for one in chain)}
    is_sound = len(signers) == len(chain) + 1 and all(is_signed_by_both(one) for one in chain)
    require(is_sound, "badHandover")
    present = Key(origin, public)
    checkpoint = verify_checkpoint(history["checkpoint"], present, origin)
    verify_handover_leaves(chain, checkpoint)
    retired = [
        Key(origin, from_base64(one["statement"]["from"]), int(one["leafIndex"])) for one in chain]
    return [*retired, present]


def is_signed_by_both(handover):
    statement = handover["statement"]
    message = pre_authentication_encoding(HANDOVER_TYPE, canonical_bytes(statement))
    return all(
        signature_verifies(
            from_base64(statement[side]), from_base64(handover["signatures"][side]), message)
        for side in ("from", "to"))


def verify_handover_leaves(chain, checkpoint):
    least = 0
    for handover in chain:
        index, path = handover["leafIndex"], decoded_path(handover["inclusionPath"])
        require(index >= least, "wrongOrder")
        require_leaf(index, leaf_hash(sha256(canonical_bytes(handover["statement"]))), path, checkpoint)
        least = index + 1


def follow_keys(keys, history):
    """Each given key, and the keys after it in the history. At least one given key must verify the history."""
    followed, codes = [], []
    for key in keys:
        try:
            followed += verify_key_history(history, key)
        except Fault as fault:
            codes.append(fault.code)
            followed.append(key)
    require(len(codes) < len(keys), codes[0] if codes else None)
    return followed


def verify_by_keys(keys, verify_with):
    """The report by the first key that verifies the document, or else the most useful report."""
    reports = []
    for key in keys:
        report = verify_with(key)
        if report["verified"] and key.max_size is not None and report["size"] > key.max_size:
            report = {"verified": False, "code": "retiredKey"}
        if report["verified"]:
            return report
        reports.append(report)
    of_document = [one for one in reports if one["code"] not in FAULTS_OF_KEY]
    of_retired = [one for one in reports if one["code"] == "retiredKey"]
    return [*of_document, *of_retired, *reports][0]


# --- Witnesses ------------------------------------------------------------------------------------

# The names in the message of ML-DSA-44 have their length in one byte.
MAX_NAME_BYTES = 255
ML_DSA_SIGNATURE_BYTES = 2420


def has_ml_dsa():
    """Whether the package cryptography and its OpenSSL have ML-DSA."""
    if MLDSA44PublicKey is None:
        return False
    try:
        MLDSA44PublicKey.from_public_bytes(bytes(KEY_BYTES[ML_DSA_WITNESS_KEY]))
    except UnsupportedAlgorithm:
        return False
    return True


def ml_dsa_verifies(public, signature, message):
    try:
        MLDSA44PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def subtree_message(checkpoint, name, time):
    """The message that a witness signs with ML-DSA-44. None for a name or an origin that is too long."""
    names = [utf8(name), utf8(checkpoint.origin)]
    if max(map(len, names)) > MAX_NAME_BYTES:
        return None
    witness, log = (bytes([len(one)]) + one for one in names)
    return b"".join([b"subtree/v1\n\0", witness, uint64(time), log,
                     uint64(0), uint64(checkpoint.size), checkpoint.root])


def cosigned_message(checkpoint, witness, time):
    if is_ml_dsa(witness):
        return subtree_message(checkpoint, witness.name, time)
    return utf8("cosignature/v1\ntime %d\n" % time) + checkpoint.text


def cosignature_time(checkpoint, witness):
    """The time of the witness's cosignature, or "absent", "badSignature" or "notChecked"."""
    of_ml_dsa = is_ml_dsa(witness)
    identifier = key_id(witness.name, witness.public, ML_DSA_WITNESS_KEY if of_ml_dsa else WITNESS_KEY)
    lines = lines_of(checkpoint, witness.name, identifier)
    if not lines:
        return "absent"
    size = 8 + (ML_DSA_SIGNATURE_BYTES if of_ml_dsa else 64)
    statements = []
    for line in lines:
        time = int.from_bytes(line.signature[:8], "big")
        message = cosigned_message(checkpoint, witness, time) if time <= MAX_INTEGER else None
        if len(line.signature) != size or message is None:
            return "badSignature"
        statements.append((time, line.signature[8:], message))
    if of_ml_dsa and not has_ml_dsa():
        return "notChecked"
    verifies = ml_dsa_verifies if of_ml_dsa else signature_verifies
    is_right = all(verifies(witness.public, *statement[1:]) for statement in statements)
    return max(statement[0] for statement in statements) if is_right else "badSignature"


def verify_witnesses(note, witnesses, quorum):
    """The report on the cosignatures. Keys with the same public key count once."""
    try:
        checkpoint = parse_checkpoint(note)
    except Fault as fault:
        return {"verified": False, "code": fault.code}
    found, missing = {}, []
    for witness in witnesses:
        time = cosignature_time(checkpoint, witness)
        if is_text(time):
            missing.append({"name": witness.name, "reason": time})
        else:
            found.setdefault(witness.public, {"name": witness.name, "timeSeconds": time})
    is_enough = quorum >= 0 and quorum == int(quorum) and len(found) >= quorum
    result = {"verified": True} if is_enough else {"verified": False, "code": "belowQuorum"}
    return {**result, "cosigned": list(found.values()), "missing": missing}


# --- Policy file ---------------------------------------------------------------------------------

MAX_POLICY_LINES = 1000
# Names are bytes. The quorum is None when the policy requires no cosignature.
Policy = namedtuple("Policy", "logs witnesses groups quorum")


class PolicyReader:
    """Reads the lines of a policy file."""

    def __init__(self):
        self.logs, self.witnesses, self.groups = [], {}, {}
        self.quorum = None
        self.grouped = set()

    def read(self, keyword, items):
        readers = {b"log": self._log, b"witness": self._witness,
                   b"group": self._group, b"quorum": self._quorum}
        require(keyword in readers, "malformedLine")
        readers[keyword](items)

    def _is_taken(self, name):
        return name == b"none" or name in self.witnesses or name in self.groups

    @staticmethod
    def _key(data, parse):
        key = parse(data.decode("utf-8", "replace"))
        require(key is not None, "malformedKey")
        return key

    def _log(self, items):
        require(1 <= len(items) <= 2, "malformedLine")
        key = self._key(items[0], lambda text: parse_named_key(text, LOG_KEY))
        require(all(log.public != key.public for log in self.logs), "duplicateKey")
        self.logs.append(key)

    def _witness(self, items):
        require(2 <= len(items) <= 3, "malformedLine")
        name, key = items[0], self._key(items[1], parse_witness_key)
        require(not self._is_taken(name), "duplicateName")
        is_new = all(witness.public != key.public for witness in self.witnesses.values())
        require(is_new, "duplicateKey")
        self.witnesses[name] = key

    def _group(self, items):
        require(len(items) >= 3, "malformedLine")
        name, threshold, *names = items
        require(not self._is_taken(name), "duplicateName")
        words = {b"any": 1, b"all": len(names)}
        is_number = re.fullmatch(rb"[1-9][0-9]{0,3}", threshold)
        least = words.get(threshold, int(threshold) if is_number else 0)
        require(1 <= least <= len(names), "badThreshold")
        for member in names:
            require(member != b"none" and self._is_taken(member), "unknownName")
            require(member not in self.grouped, "duplicateName")
            self.grouped.add(member)
        self.groups[name] = (least, names)

    def _quorum(self, items):
        require(len(items) == 1, "malformedLine")
        require(self.quorum is None, "quorumRepeated")
        require(self._is_taken(items[0]), "unknownName")
        self.quorum = items[0]


def parse_policy(data):
    """The policy of a file (C2SP tlog-policy), given as bytes. A wrong file is a fault."""
    is_text = not any((byte < 0x20 and byte not in b"\t\n") or byte == 0x7F for byte in data)
    require(is_text, "malformedBytes")
    lines = data.split(b"\n")
    require(len(lines) - (lines[-1] == b"") <= MAX_POLICY_LINES, "tooLarge")
    reader = PolicyReader()
    for line in lines:
        items = [item for item in re.split(rb"[ \t]+", line) if item]
        if items and not items[0].startswith(b"#"):
            reader.read(items[0], items[1:])
    require(reader.quorum is not None, "quorumMissing")
    quorum = None if reader.quorum == b"none" else reader.quorum
    return Policy(reader.logs, reader.witnesses, reader.groups, quorum)


def verify_policy(note, policy):
    """The report on a checkpoint under a policy."""
    report = verify_witnesses(note, policy.witnesses.values(), 0)
    if not report["verified"]:
        return report
    found = {"cosigned": report["cosigned"], "missing": report["missing"]}
    try:
        checkpoint = parse_checkpoint(note)
        require_log(checkpoint, policy.logs)
        reached = {name for name, key in policy.witnesses.items()
                   if not is_text(cosignature_time(checkpoint, key))}
        for name, (least, names) in policy.groups.items():
            if sum(member in reached for member in names) >= least:
                reached.add(name)
        require(policy.quorum is None or policy.quorum in reached, "belowQuorum")
    except Fault as fault:
        return {"verified": False, "code": fault.code, **found}
    return {"verified": True, **found}


def require_log(checkpoint, logs):
    """Raises a fault if no log of the policy signed the checkpoint. A policy without logs accepts every log."""
    codes = []
    for log in logs:
        try:
            verify_checkpoint_of(checkpoint, log)
            return
        except Fault as fault:
            codes.append(fault.code)
    if codes:
        raise Fault("badSignature" if "badSignature" in codes else "untrustedLog")


# --- Receipt --------------------------------------------------------------------------------------

def verify_receipt(document, key, strict, warnings):
    if is_object(document):
        require(is_number(document.get("version"), 1), "unsupportedVersion")
    require(is_receipt(document), "malformed")
    record, log = document["record"], document["log"]
    kind, body, salts = record["kind"], record["body"], record["salts"]
    require(not any(name in body for name in UNCOMMITTED), "uncommittedMember")
    require(has_kind(kind, body), "otherKind")
    digest = record_digest(kind, body, salts)
    require(digest_text(digest) == record["digest"], "digestMismatch")
    if has_unused_salt(kind, body, salts):
        require(not strict, "unusedSalt")
        warnings.add("unusedSalt")
    leaf = leaf_hash(digest)
    require(from_base64(log["leafHash"]) == leaf, "leafMismatch")
    checkpoint = verify_checkpoint(log["checkpoint"], key, log["origin"])
    require_leaf(log["leafIndex"], leaf, decoded_path(log["inclusionPath"]), checkpoint)
    if "anchor" in document:
        require(leads_to_anchor(document["anchor"], digest, checkpoint), "notAnchored")
    return {"kind": kind, "digest": record["digest"], "size": checkpoint.size, "anchorChecked": False}


def leads_to_anchor(anchor, digest, checkpoint):
    root = from_base64(anchor["root"])
    if "heads" not in anchor:
        return root == digest
    heads = anchor["heads"]
    path = decoded_path(heads["path"])
    return is_included(heads["index"], heads["size"], leaf_hash(checkpoint.head), path, root)


# --- Map of identifiers ---------------------------------------------------------------------------

EMPTY_CHAIN = (0, bytes(32))


def chain_of(digests):
    count, head = EMPTY_CHAIN
    for digest in digests:
        count, head = count + 1, sha256(b"\2", head, digest)
    return count, head


def stated_chain(proof, name):
    return int(proof[name]["count"]), from_base64(proof[name]["head"])


def identifier_key(identifier):
    return sha256(utf8(identifier))


def action_key(identifier):
    return sha256(b"\0", utf8(identifier))


def map_value(chains):
    return sha256(*(part for count, head in chains for part in (uint64(count), head)))


def walk_verifies(key, leaf, path, root):
    """Walks from a leaf of the map to its root, along the bits of the key."""
    found, limit = leaf, 256
    for step in path:
        bit, sibling = int(step["bit"]), from_base64(step["hash"])
        if bit >= limit:
            return False
        limit = bit
        if key[bit // 8] >> (7 - bit % 8) & 1:
            found = sha256(b"\1", bytes([bit]), sibling, found)
        else:
            found = sha256(b"\1", bytes([bit]), found, sibling)
    return found == root


def map_proof_verifies(key, proof, chain_names, statement):
    root = from_base64(statement["root"])
    chains = [stated_chain(proof, name) for name in chain_names]
    all_empty = all(chain == EMPTY_CHAIN for chain in chains)
    if "other" in proof:
        other = from_base64(proof["other"]["key"])
        leaf = sha256(b"\0", other, from_base64(proof["other"]["value"]))
        return all_empty and other != key and walk_verifies(key, leaf, proof["path"], root)
    if all_empty:
        return statement["names"] == 0 and not proof["path"] and root == sha256()
    leaf = sha256(b"\0", key, map_value(chains))
    return walk_verifies(key, leaf, proof["path"], root)


# --- Proven bundle --------------------------------------------------------------------------------

def bundle_version(proof):
    """The version of a bundle, read before its form is checked."""
    if not is_object(proof) or "version" not in proof or is_number(proof["version"], 1):
        return 1
    require(is_number(proof["version"], 2), "unsupportedVersion")
    mentions = proof.get("mentions")
    statement = mentions.get("statement") if is_object(mentions) else None
    version = statement.get("version") if is_object(statement) else None
    require(is_number(version, 2), "unsupportedVersion")
    return 2


def verify_bundle(bundle, key, strict, warnings):
    version = bundle_version(bundle["proof"])
    require(BUNDLE_FORMS[version](bundle), "malformed")
    proof = bundle["proof"]
    checkpoint = verify_checkpoint(proof["checkpoint"], key, proof["origin"])
    verify_bundle_signatures(bundle, key)
    contents = BundleContents(bundle)
    for item in contents.items:
        if verify_record(item, checkpoint, strict):
            warnings.add("unusedSalt")
    entities = {entity["id"] for entity in bundle["entities"]}
    needed = {action["performedBy"] for action in bundle["actions"]}
    needed.update(attribution["entityId"] for attribution in bundle["attributions"])
    require(needed <= entities, "absentEntity")
    verify_statement(proof["mentions"], checkpoint)
    verify_map_proofs(proof["mentions"], version)
    verify_names_stated(bundle, version)
    if bundle["complete"]:
        verify_history(contents)
        if version == 2:
            verify_attributions(contents)
    return {
        "cid": bundle["cid"],
        "records": len(contents.items),
        "size": checkpoint.size,
        "complete": bundle["complete"],
        "coveredLeaves": int(proof["mentions"]["statement"]["leaves"]),
        "unproven": unproven_members(bundle, version),
        "signedOnly": signed_only_members(contents),
    }


def pre_authentication_encoding(payload_type, payload):
    def sized(data):
        return b"%d %s" % (len(data), data)
    return b"DSSEv1 " + sized(utf8(payload_type)) + b" " + sized(payload)


def verify_bundle_signatures(bundle, key):
    proof = bundle["proof"]
    trusted_id = key_id(proof["origin"], key.public)
    signatures = [s["sig"] for s in proof["signatures"] if s["keyid"] == trusted_id]
    require(signatures, "notSigned")
    signed_proof = {name: value for name, value in proof.items() if name != "signatures"}
    payload = canonical_bytes({**bundle, "proof": signed_proof})
    message = pre_authentication_encoding(BUNDLE_TYPE, payload)
    for text in signatures:
        signature = from_base64(text)
        is_good = signature is not None and signature_verifies(key.public, signature, message)
        require(is_good, "badBundleSignature")

# One record of a bundle with its proof.
Item = namedtuple("Item", "kind record proof")


class BundleContents:
    """The records of a bundle with their proofs, and the identifiers of its contents."""

    def __init__(self, bundle):
        self.bundle = bundle
        self.mentions = bundle["proof"]["mentions"]
        self.leaves = self.mentions["statement"]["leaves"]
        self.aliases = bundle.get("aliases", {})
        self.items = self._matched_items()
        self._names = {}
        for alias, canonical in self.aliases.items():
            self._names.setdefault(canonical, []).append(alias)

    def _matched_items(self):
        records = [
            (kind, record)
            for kind, member in zip(KINDS, ("entities", "actions", "attributions"))
            for record in self.bundle[member]
        ]
        proofs = {(proof["kind"], proof["id"]): proof for proof in self.bundle["proof"]["records"]}
        pairs = {(kind, record["id"]) for kind, record in records}
        counts = {len(pairs), len(records), len(proofs), len(self.bundle["proof"]["records"])}
        require(len(counts) == 1 and pairs == set(proofs), "unprovenRecord")
        return [Item(kind, record, proofs[kind, record["id"]]) for kind, record in records]

    def in_order(self, kind):
        """The items of a kind in the order of their leaves."""
        items = [item for item in self.items if item.kind == kind]
        return sorted(items, key=lambda item: item.proof["leafIndex"])

    def canonical(self, identifier):
        return self.aliases.get(identifier, identifier)

    def names(self, canonical):
        """The canonical identifier and each alias that maps to it, each once."""
        return dict.fromkeys([canonical, *self._names.get(canonical, ())])

    def require_chain(self, items, stated, chain):
        """The items that the statement covers must form exactly the chain of the proof."""
        digests = [digest_bytes(i.proof) for i in items if i.proof["leafIndex"] < self.leaves]
        is_same = stated is not None and chain_of(digests) == stated_chain(stated, chain)
        require(is_same, "leftOut")


def digest_bytes(record_proof):
    return bytes.fromhex(record_proof["digest"][len("sha256:"):])


def verify_record(item, checkpoint, strict):
    """Verifies a record. Returns whether it has an unused salt."""
    kind, record, proof = item
    salts = proof["salts"]
    if "erased" in proof:
        record = put_back(kind, record, proof["erased"], salts)
    require(has_kind(kind, record), "otherKind")
    digest = record_digest(kind, record, salts)
    require(digest_text(digest) == proof["digest"], "digestMismatch")
    is_unused = has_unused_salt(kind, record, salts)
    require(not (strict and is_unused), "unusedSalt")
    if kind == "action":
        require(record["digest"] == proof["digest"], "digestMismatch")
    require_leaf(proof["leafIndex"], leaf_hash(digest), decoded_path(proof["inclusionPath"]), checkpoint)
    return is_unused


def put_back(kind, record, erased, salts):
    """The record with the commitments of its erased fields."""
    record = deep_copy(record)
    if erased:
        record.pop("erasure", None)
    for pointer, commitment in erased.items():
        names = names_of(pointer)
        require(names, "digestMismatch")
        parent = record
        for name in names[:-1]:
            require(is_object(parent) and name in parent, "digestMismatch")
            parent = parent[name]
        require(is_object(parent) and names[-1] not in parent, "digestMismatch")
        parent[names[-1]] = {"c": commitment}
    unsalted = {pointer for pointer in personal_fields(kind, record) if pointer not in salts}
    require(unsalted == set(erased), "digestMismatch")
    return record


def verify_statement(mentions, checkpoint):
    statement, index = mentions["statement"], mentions["leafIndex"]
    leaf = leaf_hash(sha256(canonical_bytes(statement)))
    path = decoded_path(mentions["inclusionPath"])
    is_leaf = is_included(index, checkpoint.size, leaf, path, checkpoint.root)
    require(is_leaf and statement["leaves"] <= index, "otherStatement")


def verify_map_proofs(mentions, version):
    statement = mentions["statement"]
    for name, proof in mentions["byName"].items():
        key = identifier_key(name)
        require(map_proof_verifies(key, proof, NAME_CHAINS[version], statement), "otherMentions")
    for identifier, proof in mentions.get("byAction", {}).items():
        key = action_key(identifier)
        require(map_proof_verifies(key, proof, ("attributed",), statement), "otherMentions")


def verify_names_stated(bundle, version):
    mentions = bundle["proof"]["mentions"]
    aliases = bundle.get("aliases", {})
    names = {bundle["cid"], *aliases}
    for action in bundle["actions"]:
        names.update(action["inputCids"], action["outputCids"])
    if version == 2:
        names.update(aliases.values())
        ids = {action["id"] for action in bundle["actions"]}
        require(ids <= set(mentions["byAction"]), "unstatedName")
    require(names <= set(mentions["byName"]), "unstatedName")

# For each direction of a history: the chain that covers the actions of a content, the member in which these actions
# name the content, and the member with the contents that the walk visits next.
WALKS = {
    "ancestors": [("made", "outputCids", "inputCids")],
    "descendants": [("used", "inputCids", "outputCids")],
}
WALKS["both"] = WALKS["ancestors"] + WALKS["descendants"]


def verify_history(contents):
    """A missing action of the history is a fault."""
    actions = contents.in_order("action")
    by_name = contents.mentions["byName"]
    for chain, start, end in WALKS[contents.bundle["proof"]["direction"]]:
        naming = {}
        for item in actions:
            for identifier in set(item.record[start]):
                naming.setdefault(identifier, []).append(item)
        open_contents = [contents.canonical(contents.bundle["cid"])]
        reached = set(open_contents)
        while open_contents:
            for identifier in contents.names(open_contents.pop()):
                items = naming.get(identifier, [])
                contents.require_chain(items, by_name.get(identifier), chain)
                for item in items:
                    new = {contents.canonical(name) for name in item.record[end]} - reached
                    reached.update(new)
                    open_contents.extend(new)


def verify_attributions(contents):
    """A missing attribution of an action or a content of the bundle is a fault."""
    bundle, mentions = contents.bundle, contents.mentions
    by_action, by_resource = {}, {}
    for item in contents.in_order("attribution"):
        for chains, member in ((by_action, "actionId"), (by_resource, "resourceCid")):
            if member in item.record:
                chains.setdefault(item.record[member], []).append(item)
    identifiers = [bundle["cid"]]
    for action in bundle["actions"]:
        stated = mentions["byAction"].get(action["id"])
        contents.require_chain(by_action.get(action["id"], []), stated, "attributed")
        identifiers += action["inputCids"] + action["outputCids"]
    for content in {contents.canonical(identifier) for identifier in identifiers}:
        for name in contents.names(content):
            stated = mentions["byName"].get(name)
            contents.require_chain(by_resource.get(name, []), stated, "attributed")


def unproven_members(bundle, version):
    records = [*bundle["entities"], *bundle["actions"], *bundle["attributions"]]
    unproven = ["resources"] if "resources" in bundle else []
    for name in ("recordedAt", "onchain"):
        unproven += [name] if any(name in record for record in records) else []
    return unproven + (["attributions"] if version == 1 else [])


def signed_only_members(contents):
    """The names of the members that the service signed and the log does not prove."""
    bundle = contents.bundle
    proven = {"cid", "entities", "actions", "attributions", "complete", "proof"}
    names = {name for name in bundle if name not in proven}
    if not contents.aliases:
        names.discard("aliases")
    for kind, record, proof in contents.items:
        own = {name for name in UNCOMMITTED if name in record}
        # `verify_record` compares the member `digest` of an action with the proven digest.
        names |= own - {"digest"} if kind == "action" else own
        if proof.get("erased") and "erasure" in record:
            names.add("erasure")
    return sorted(names, key=lambda name: name.encode("utf-16-be"))


# --- Time-stamp -----------------------------------------------------------------------------------

MAX_TOKEN = 87384
# Tags of DER (X.690).
INTEGER, OCTET_STRING, OBJECT_IDENTIFIER, GENERALIZED_TIME = 0x02, 0x04, 0x06, 0x18
SEQUENCE, SET, CONTEXT_0, CONTEXT_1 = 0x30, 0x31, 0xA0, 0xA1
# Contents of object identifiers.
SIGNED_DATA = bytes.fromhex("2a864886f70d010702")
TST_INFO = bytes.fromhex("2a864886f70d0109100104")
CONTENT_TYPE = bytes.fromhex("2a864886f70d010903")
MESSAGE_DIGEST = bytes.fromhex("2a864886f70d010904")
SIGNING_CERTIFICATE = bytes.fromhex("2a864886f70d010910020c")
SIGNING_CERTIFICATE_V2 = bytes.fromhex("2a864886f70d010910022f")
SHA_256 = bytes.fromhex("608648016503040201")
HASHES = {SHA_256: hashes.SHA256(), bytes.fromhex("608648016503040202"): hashes.SHA384(),
          bytes.fromhex("608648016503040203"): hashes.SHA512()}
# The extensions of certificates that this verifier understands. An unknown critical one is a fault.
KNOWN_EXTENSIONS = (x509.BasicConstraints, x509.KeyUsage, x509.ExtendedKeyUsage)
MAX_ISSUER_SEARCHES = 32

is_token = lambda value: (
    is_text(value) and 4 <= len(value) <= MAX_TOKEN and from_base64(value) is not None)
is_timestamp = members(
    {"version": lambda value: is_number(value, 1), "digest": is_record_digest, "log": is_log,
     "heads": is_heads, "root": is_hash, "token": is_token})

# One DER value: its tag, its content, and all its bytes.
Der = namedtuple("Der", "tag content whole")
# The parts of a token that are checked. The attributes map a type to the lists of values.
Token = namedtuple("Token", "info certificates signer content attributes signed digest_algorithm signature")


def der_values(data):
    """The DER values that follow each other in the data."""
    values, at = [], 0
    while at < len(data):
        start = at
        require(at + 2 <= len(data) and data[at] & 0x1F != 0x1F, "malformedToken")
        tag, length, at = data[at], data[at + 1], at + 2
        if length & 0x80:
            count = length & 0x7F
            require(1 <= count <= 4 and at + count <= len(data), "malformedToken")
            length, at = int.from_bytes(data[at:at + count], "big"), at + count
        require(at + length <= len(data), "malformedToken")
        values.append(Der(tag, data[at:at + length], data[start:at + length]))
        at += length
    return values


def inside(value, tag):
    require(value.tag == tag, "malformedToken")
    return der_values(value.content)


def only(values):
    require(len(values) == 1, "malformedToken")
    return values[0]


def content_of(value, tag):
    require(value.tag == tag, "malformedToken")
    return value.content


def parse_token(data):
    """The parts of a TimeStampToken (RFC 3161, section 2.4.2; RFC 5652, section 5)."""
    try:
        kind, wrapped = inside(only(der_values(data)), SEQUENCE)
        require(content_of(kind, OBJECT_IDENTIFIER) == SIGNED_DATA, "malformedToken")
        _version, _digests, encapsulated, *others = inside(only(inside(wrapped, CONTEXT_0)), SEQUENCE)
        kind, wrapped = inside(encapsulated, SEQUENCE)
        require(content_of(kind, OBJECT_IDENTIFIER) == TST_INFO, "malformedToken")
        content = content_of(only(inside(wrapped, CONTEXT_0)), OCTET_STRING)
        certificates = [item for other in others if other.tag == CONTEXT_0
                        for item in der_values(other.content)]
        signer_info = only(inside(others[-1], SET))
        _version, signer, digest_algorithm, signed, _algorithm, signature, *_ = inside(signer_info, SEQUENCE)
        attributes = {}
        for attribute in inside(signed, CONTEXT_0):
            kind, values = inside(attribute, SEQUENCE)
            attributes.setdefault(content_of(kind, OBJECT_IDENTIFIER), []).append(inside(values, SET))
        types = [value.content for values in attributes.get(CONTENT_TYPE, []) for value in values]
        require(types == [TST_INFO], "malformedToken")
        info = inside(only(der_values(content)), SEQUENCE)
        require(len(info) >= 5, "malformedToken")
        return Token(
            info, certificates, signer, content, attributes,
            # The signature is over the attributes as a SET (RFC 5652, section 5.4).
            bytes([SET]) + signed.whole[1:], inside(digest_algorithm, SEQUENCE)[0].content,
            content_of(signature, OCTET_STRING))
    except (ValueError, IndexError):
        raise Fault("malformedToken") from None


def time_of(token):
    """The time of the token, as datetime in UTC."""
    text = content_of(token.info[4], GENERALIZED_TIME)
    found = re.fullmatch(rb"([0-9]{14})(?:\.([0-9]{1,6})[0-9]*)?Z", text)
    require(found, "malformedToken")
    try:
        whole = datetime.strptime(found[1].decode("ascii"), "%Y%m%d%H%M%S")
    except ValueError:
        raise Fault("malformedToken") from None
    return whole.replace(microsecond=int((found[2] or b"0").ljust(6, b"0")))


def require_imprint(token, root):
    algorithm, imprint = inside(token.info[2], SEQUENCE)
    is_sha256 = inside(algorithm, SEQUENCE)[0].content == SHA_256
    require(is_sha256 and content_of(imprint, OCTET_STRING) == sha256(root), "otherImprint")


def load_certificates(token):
    """The certificates of a token. Malformed ones and other choices of CertificateSet are left out."""
    found = []
    for item in token.certificates:
        try:
            certificate = x509.load_der_x509_certificate(item.whole)
            # The library parses these parts at their first use.
            _ = certificate.extensions, certificate.issuer, certificate.subject
            _ = certificate.public_key(), certificate.signature_hash_algorithm
        except Exception:  # The library raises errors of many classes, KeyError too.
            continue
        found.append(certificate)
    return found


def signer_certificate(token, certificates):
    """The certificate that the signer names by an issuer and a serial number, or by a key identifier."""
    for certificate in certificates:
        if token.signer.tag == SEQUENCE:
            issuer, serial = inside(token.signer, SEQUENCE)
            number = int.from_bytes(serial.content, "big", signed=True)
            is_named = issuer.whole == certificate.issuer.public_bytes()
            is_named = is_named and number == certificate.serial_number
        else:
            identifier = extension_of(certificate, x509.SubjectKeyIdentifier)
            is_named = identifier is not None and identifier.value.digest == token.signer.content
        if is_named:
            return certificate
    raise Fault("badTokenSignature")


def is_named_by(token, certificate):
    """Whether the signed attributes name the certificate (RFC 5816, section 2.2.1)."""
    data = certificate.public_bytes(Encoding.DER)
    for kind, digest in ((SIGNING_CERTIFICATE_V2, sha256(data)),
                         (SIGNING_CERTIFICATE, hashlib.sha1(data).digest())):
        if kind in token.attributes:
            first = inside(inside(only(token.attributes[kind][0]), SEQUENCE)[0], SEQUENCE)[0]
            parts = inside(first, SEQUENCE)
            if kind == SIGNING_CERTIFICATE_V2 and parts[0].tag == SEQUENCE:
                if inside(parts.pop(0), SEQUENCE)[0].content != SHA_256:
                    return False
            return parts[0].tag == OCTET_STRING and parts[0].content == digest
    return False


def key_verifies(key, signature, message, algorithm):
    try:
        if isinstance(key, rsa.RSAPublicKey):
            key.verify(signature, message, padding.PKCS1v15(), algorithm)
        elif isinstance(key, ec.EllipticCurvePublicKey):
            key.verify(signature, message, ec.ECDSA(algorithm))
        else:
            return False
    except (InvalidSignature, UnsupportedAlgorithm, ValueError, TypeError):
        return False
    return True


def require_token_signature(token, certificate):
    algorithm = HASHES.get(token.digest_algorithm)
    require(algorithm is not None, "badTokenSignature")
    try:
        stated = [value for values in token.attributes.get(MESSAGE_DIGEST, []) for value in values]
        is_digest = only(stated).content == hashlib.new(algorithm.name, token.content).digest()
        is_named = is_named_by(token, certificate)
    except (Fault, IndexError):
        raise Fault("badTokenSignature") from None
    is_signed = key_verifies(certificate.public_key(), token.signature, token.signed, algorithm)
    require(is_digest and is_named and is_signed, "badTokenSignature")


def extension_of(certificate, kind):
    try:
        return certificate.extensions.get_extension_for_class(kind)
    except x509.ExtensionNotFound:
        return None


def is_usable(certificate, time):
    """Whether the time is in the certificate's period, and this verifier knows all its critical extensions."""
    is_current = certificate.not_valid_before <= time <= certificate.not_valid_after
    return is_current and all(
        isinstance(extension.value, KNOWN_EXTENSIONS)
        for extension in certificate.extensions if extension.critical)


def may_issue(certificate, below):
    """Whether the certificate belongs to an authority that may have this many authorities below it in a chain."""
    constraints = extension_of(certificate, x509.BasicConstraints)
    usage = extension_of(certificate, x509.KeyUsage)
    if constraints is None or not constraints.value.ca:
        return False
    limit = constraints.value.path_length
    return (limit is None or below <= limit) and (usage is None or usage.value.key_cert_sign)


def has_chain(certificate, others, anchors, time, searches, below=(), counted=0):
    """Whether a chain leads from the certificate to an anchor (RFC 5280, section 6).

    Each call adds a certificate to the list `searches`. The search fails after MAX_ISSUER_SEARCHES calls, because many
    certificates that issued each other would otherwise cause very many calls.
    """
    searches.append(certificate)
    if not is_usable(certificate, time) or len(searches) > MAX_ISSUER_SEARCHES:
        return False
    if certificate in anchors:
        return True
    for issuer in [*anchors, *others]:
        is_issuer = issuer.subject == certificate.issuer and issuer != certificate
        if is_issuer and issuer not in below and may_issue(issuer, counted) and key_verifies(
                issuer.public_key(), certificate.signature, certificate.tbs_certificate_bytes,
                certificate.signature_hash_algorithm):
            # A self-issued certificate does not count (RFC 5280, section 4.2.1.9).
            more = counted + (issuer.subject != issuer.issuer)
            if has_chain(issuer, others, anchors, time, searches, (*below, certificate), more):
                return True
    return False


def authority_name(certificate):
    names = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
    return names[-1].value if names else "%x" % certificate.serial_number


def verify_token(data, root, anchors):
    """The time and the name of the authority of a token over the root."""
    token = parse_token(data)
    time = time_of(token)
    certificates = load_certificates(token)
    try:
        require_imprint(token, root)
        signer = signer_certificate(token, certificates)
    except (ValueError, IndexError):
        raise Fault("malformedToken") from None
    require_token_signature(token, signer)
    require(has_chain(signer, certificates, anchors, time, []), "untrustedAuthority")
    usage = extension_of(signer, x509.ExtendedKeyUsage)
    is_right = usage is not None and usage.critical and list(usage.value) == [
        ExtendedKeyUsageOID.TIME_STAMPING]
    require(is_right, "wrongUsage")
    text = time.strftime("%Y-%m-%dT%H:%M:%S") + ".%03dZ" % (time.microsecond // 1000)
    return {"time": text, "authority": authority_name(signer)}


def verify_timestamp(data, key, digest, anchors):
    """The report on a time-stamp, given as bytes, for the record with this digest."""
    try:
        document = JsonDocument(data).value
        if is_object(document):
            require(is_number(document.get("version"), 1), "unsupportedVersion")
        require(is_timestamp(document), "malformed")
        require(document["digest"] == digest, "otherRecord")
        log, heads, root = document["log"], document["heads"], from_base64(document["root"])
        leaf = leaf_hash(digest_bytes(document))
        require(from_base64(log["leafHash"]) == leaf, "leafMismatch")
        checkpoint = verify_checkpoint(log["checkpoint"], key, log["origin"])
        require_leaf(log["leafIndex"], leaf, decoded_path(log["inclusionPath"]), checkpoint)
        path = decoded_path(heads["path"])
        is_covered = is_included(heads["index"], heads["size"], leaf_hash(checkpoint.head), path, root)
        require(is_covered, "notCovered")
        facts = verify_token(from_base64(document["token"]), root, anchors)
        require(key.max_size is None or checkpoint.size <= key.max_size, "retiredKey")
    except Fault as fault:
        return {"verified": False, "code": fault.code}
    return {"verified": True, "size": checkpoint.size, **facts}


def verify_timestamp_by_keys(data, keys, digest, anchors):
    """The report with the first key that verifies the time-stamp, otherwise the most useful one."""
    reports = [verify_timestamp(data, key, digest, anchors) for key in keys]
    order = lambda one: (not one["verified"], one.get("code") == "untrustedKey")
    return min(reports, key=order)


def parse_anchors(data):
    """The certificates of a PEM text, or None."""
    blocks = re.findall(rb"-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----", data)
    try:
        return [x509.load_pem_x509_certificate(block) for block in blocks] or None
    except ValueError:
        return None


# --- Report ---------------------------------------------------------------------------------------

def verify(data, key, strict=False, witnesses=(), quorum=None, policy=None):
    """The report on a document, given as bytes. A policy takes the place of witnesses and quorum."""
    warnings = set()
    try:
        parsed = JsonDocument(data)
        if parsed.other_number_text:
            require(not strict, "numberText")
            warnings.add("numberText")
        document = parsed.value
        is_bundle = is_object(document) and "proof" in document
        check = verify_bundle if is_bundle else verify_receipt
        facts = check(document, key, strict, warnings)
    except Fault as fault:
        return {"verified": False, "code": fault.code}
    ordered = [code for code in ("numberText", "unusedSalt") if code in warnings]
    report = {"verified": True, **facts, "warnings": ordered}
    note = document["proof" if is_bundle else "log"]["checkpoint"]
    if policy is not None:
        report["witnesses"] = verify_policy(note, policy)
    elif witnesses:
        least = len({witness.public for witness in witnesses}) if quorum is None else quorum
        report["witnesses"] = verify_witnesses(note, witnesses, least)
    return report


def usable_key(text, parse, what):
    key = parse(text) if is_text(text) else None
    if key is None:
        raise WrongUse("not a valid %s: %r" % (what, text))
    return key


def verify_with_history(data, keys, history, stamp=None, **options):
    """The report on a document, verified with all keys to which `history` (bytes or None) leads.

    `stamp` is a pair: a time-stamp of the record in the document, and the certificates of its authorities.
    """
    if history is not None:
        try:
            keys = follow_keys(keys, history)
        except Fault as fault:
            return {"verified": False, "code": fault.code, "document": "keys"}
    report = verify_by_keys(keys, lambda key: verify(data, key, **options))
    if stamp is not None and report["verified"]:
        if "digest" not in report:
            raise WrongUse("--timestamp needs a receipt: a bundle has many records")
        document, anchors = stamp
        report["timestamp"] = verify_timestamp_by_keys(document, keys, report["digest"], anchors)
    return report


def verify_lines(data, witnesses, quorum):
    """Yields the report on each line {"text", "key", "strict", "keys"}."""
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            text, key, strict = entry["text"], entry["key"], entry.get("strict", False)
            # Encodes a lone surrogate as invalid UTF-8, so the verifier rejects it like other invalid bytes.
            document = text.encode("utf-8", "surrogatepass")
            history = entry.get("keys")
            history = None if history is None else history.encode("utf-8", "surrogatepass")
        except (ValueError, KeyError, TypeError, AttributeError):
            raise WrongUse('line %d is not {"text", "key", "strict", "keys"}' % number) from None
        key = usable_key(key, parse_trusted_key, "key")
        options = {"strict": strict is True, "witnesses": witnesses, "quorum": quorum}
        yield verify_with_history(document, [key], history, **options)


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(description="Verifies a receipt or a proven bundle offline.")
    parser.add_argument("file")
    option = parser.add_argument
    option("--key", action="append", default=[],
           help="the log's verifier key, or its public key as 64 hex digits; may be repeated")
    option("--keys", help="a file with the keys of the log, to follow from the key of --key")
    option("--strict", action="store_true", help="reject a document that otherwise verifies with warnings")
    option("--witness", action="append", default=[], help="a witness's key; may be repeated")
    option("--quorum", type=int, help="how many witnesses must have cosigned (default: all)")
    option("--policy", help="a file in the format C2SP tlog-policy, instead of --witness")
    option("--timestamp", help="a file with the time-stamp of the record in the receipt")
    option("--tsa-ca", help="a PEM file with the certificates of trusted time-stamping authorities")
    option("--lines", action="store_true",
           help='verify each line {"text", "key", "strict", "keys"}')
    options = parser.parse_args(arguments)
    if not options.key and not options.lines:
        parser.error("--key is required without --lines")
    if options.keys is not None and not options.key:
        parser.error("--keys needs --key, the key that you trust")
    if options.policy is not None and (options.witness or options.lines):
        parser.error("--policy goes with neither --witness nor --lines")
    if (options.timestamp is None) != (options.tsa_ca is None):
        parser.error("--timestamp and --tsa-ca go together")
    if options.timestamp is not None and options.lines:
        parser.error("--timestamp does not go with --lines")
    return options


def read_file(path):
    with open(path, "rb") as file:
        return file.read()


def open_policy(path):
    if path is None:
        return None
    data = read_file(path)
    try:
        return parse_policy(data)
    except Fault as fault:
        raise WrongUse("%s is not a policy file: %s" % (path, fault.code)) from None


def open_stamp(timestamp, authorities):
    if timestamp is None:
        return None
    anchors = parse_anchors(read_file(authorities))
    if anchors is None:
        raise WrongUse("%s has no certificate in PEM, or an invalid one" % authorities)
    return read_file(timestamp), anchors


def main(arguments=None):
    options = parse_arguments(arguments)
    try:
        witnesses = [usable_key(text, parse_witness_key, "witness key") for text in options.witness]
        most = len({witness.public for witness in witnesses})
        if options.quorum is not None and not 1 <= options.quorum <= most:
            if most == 0:
                raise WrongUse("--quorum needs at least one --witness")
            raise WrongUse("--quorum takes 1 to %d, the number of different witness keys" % most)
        policy = open_policy(options.policy)
        stamp = open_stamp(options.timestamp, options.tsa_ca)
        data = read_file(options.file)
        if options.lines:
            reports = verify_lines(data, witnesses, options.quorum)
        else:
            keys = [usable_key(text, parse_trusted_key, "key") for text in options.key]
            history = None if options.keys is None else read_file(options.keys)
            reports = [verify_with_history(
                data, keys, history, stamp, strict=options.strict, witnesses=witnesses,
                quorum=options.quorum, policy=policy)]
        is_good = True
        for report in reports:
            print(json.dumps(report))
            parts = (report, report.get("witnesses", report), report.get("timestamp", report))
            is_good = all(part["verified"] for part in parts)
    except (WrongUse, OSError) as problem:
        print("verify_receipt.py: %s" % problem, file=sys.stderr)
        return WRONG_USE
    return 0 if options.lines or is_good else NOT_VERIFIED

if __name__ == "__main__":
    sys.exit(main())
