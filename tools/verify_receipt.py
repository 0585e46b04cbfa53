#!/usr/bin/env python3
"""Verifies a receipt or a proven bundle, as docs/spec/receipts-v1.md specifies (section numbers refer to it).
Proven bundles of version 2 are specified in docs/spec/proven-bundles-v2.md.

    python3 tools/verify_receipt.py FILE --key VKEY [--strict] [--witness WKEY ... [--quorum N]]
    python3 tools/verify_receipt.py --lines FILE

Prints the report as JSON. The exit code is 0 if the document verifies, 3 if not, and 2 for a wrong command line.
With --witness, the exit code is 0 only if at least N of these witnesses (default: all) cosigned the checkpoint.
With --lines, each line of FILE is {"text", "key", "strict"}, and the reports are printed line by line.
Needs Python 3.9 and the package `cryptography`; makes no network requests.
"""
import argparse
import base64
import hashlib
import json
import re
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

MAX_INTEGER = 2**53 - 1
MAX_LEVELS = 64
MAX_BODY_LEVELS = 40
MAX_PATH = 53
BLANK = '\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff'
NAME = re.compile(f'[^+{BLANK}]+')
DIGEST = re.compile('sha256:[0-9a-f]{64}')
VOLATILE = ('onchain', 'recordedAt', 'digest', 'locations')
BUNDLE_TYPE = 'application/vnd.colophon.bundle+json'


class Fault(Exception):
    """The first fault of a document; its argument is the code."""


class Number(float):
    """A number with its text."""

    text: str


# Section 1: input


def parse(source):
    """Returns the value of a JSON text, and whether all numbers have their canonical text."""
    findings = {'duplicate': False, 'canonical': True}

    def read_number(text):
        number = Number(text)
        if number in (float('inf'), float('-inf')):
            raise Fault('malformed')
        number.text = text
        if number_text(number) != text:
            findings['canonical'] = False
        return number

    def read_object(pairs):
        members = dict(pairs)
        if len(members) != len(pairs):
            findings['duplicate'] = True
        return members

    def refuse(_):
        raise Fault('malformed')

    try:
        text = source.decode('utf-8') if isinstance(source, bytes) else source
        value = json.loads(
            text,
            parse_int=read_number,
            parse_float=read_number,
            parse_constant=refuse,
            object_pairs_hook=read_object,
        )
    except (ValueError, RecursionError) as error:
        raise Fault('malformed') from error
    check_value(value, 1)
    if findings['duplicate']:
        raise Fault('duplicateMember')
    return value, findings['canonical']


def check_value(value, level):
    if isinstance(value, str):
        if any(char == '\0' or '\ud800' <= char <= '\udfff' for char in value):
            raise Fault('malformed')
        return
    if not isinstance(value, (dict, list)):
        return
    if level > MAX_LEVELS:
        raise Fault('malformed')
    if isinstance(value, dict):
        if '__proto__' in value:
            raise Fault('malformed')
        for name in value:
            check_value(name, level + 1)
    for item in value.values() if isinstance(value, dict) else value:
        check_value(item, level + 1)


def decode_base64(text):
    """Returns the bytes, or None for a text that is not the one text of its bytes."""
    try:
        data = base64.b64decode(text.encode('ascii'), validate=True)
    except ValueError:
        return None
    return data if base64.b64encode(data).decode() == text else None


def encode_base64(data):
    return base64.b64encode(data).decode()


def sha256(*parts):
    return hashlib.sha256(b''.join(parts)).digest()


# Canonical JSON (RFC 8785)


def number_text(number):
    """RFC 8785 section 3.2.2.3: the text of ECMAScript."""
    if number == 0:
        return '0'
    if number < 0:
        return '-' + number_text(-number)
    mantissa, _, exponent = repr(float(number)).partition('e')
    whole, _, fraction = mantissa.partition('.')
    if fraction == '0':
        fraction = ''
    digits = (whole + fraction).lstrip('0')
    point = len(whole) + int(exponent or 0) - (len(whole + fraction) - len(digits))
    digits = digits.rstrip('0')
    count = len(digits)
    if count <= point <= 21:
        return digits + '0' * (point - count)
    if 0 < point <= 21:
        return f'{digits[:point]}.{digits[point:]}'
    if -6 < point <= 0:
        return f'0.{"0" * -point}{digits}'
    power = point - 1
    rest = f'.{digits[1:]}' if count > 1 else ''
    return f'{digits[0]}{rest}e{"+" if power > 0 else "-"}{abs(power)}'


ESCAPES = {'"': '\\"', '\\': '\\\\', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t'}


def canonical(value):
    if value is None:
        return 'null'
    if value is True:
        return 'true'
    if value is False:
        return 'false'
    if isinstance(value, str):
        return '"' + ''.join(ESCAPES.get(c) or (f'\\u{ord(c):04x}' if c < ' ' else c) for c in value) + '"'
    if isinstance(value, (int, float)):
        return number_text(float(value))
    if isinstance(value, list):
        return '[' + ','.join(map(canonical, value)) + ']'
    names = sorted(value, key=lambda name: name.encode('utf-16-be'))
    return '{' + ','.join(f'{canonical(name)}:{canonical(value[name])}' for name in names) + '}'


# Section 2: record digest


def personal_fields(kind, body):
    """Yields the owner, the member name and the pointer of each personal field."""
    own = {'entity': ('name', 'wallet', 'metadata'), 'attribution': ('note',)}.get(kind, ())
    for name in own:
        if name in body:
            yield body, name, f'/{name}'
    extensions = body.get('extensions')
    if not isinstance(extensions, dict):
        return
    for key, extension in extensions.items():
        if not key.startswith('ext:ai@') or not isinstance(extension, dict):
            continue
        prefix = '/extensions/' + key.replace('~', '~0').replace('/', '~1')
        tool = extension.get('tool')
        for owner, where in ((extension, prefix), (tool, f'{prefix}/tool')):
            for name in ('prompt', 'systemPrompt'):
                if isinstance(owner, dict) and name in owner:
                    yield owner, name, f'{where}/{name}'


def deep_copy(value):
    if isinstance(value, dict):
        return {name: deep_copy(item) for name, item in value.items()}
    return [deep_copy(item) for item in value] if isinstance(value, list) else value


def record_digest(kind, body, salts):
    """Returns the digest, or None when the record has none."""
    committed = deep_copy({name: value for name, value in body.items() if name not in VOLATILE})
    for owner, name, pointer in list(personal_fields(kind, committed)):
        value = owner[name]
        if pointer in salts:
            salt = decode_base64(salts[pointer])
            if salt is None or len(salt) != 16:
                return None
            owner[name] = {'c': encode_base64(sha256(salt, canonical(value).encode()))}
        elif not (isinstance(value, dict) and list(value) == ['c'] and is_hash(value['c'])):
            return None
    return 'sha256:' + sha256(canonical(committed).encode()).hex()


def has_unused_salt(kind, body, salts):
    used = {pointer for _, _, pointer in personal_fields(kind, body)}
    return any(pointer not in used for pointer in salts)


def is_of_kind(kind, body):
    texts = {'entity': ('id', 'role'), 'action': ('id', 'type', 'performedBy'), 'attribution': ('id', 'role', 'entityId')}
    absent = {'entity': ('performedBy', 'entityId'), 'action': (), 'attribution': ('performedBy',)}
    lists = ('inputCids', 'outputCids') if kind == 'action' else ()
    return (
        all(isinstance(body.get(name), str) for name in texts[kind])
        and all(is_texts(body.get(name)) for name in lists)
        and not any(name in body for name in absent[kind])
    )


# Forms


def is_texts(value):
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def is_hash(value):
    data = decode_base64(value) if isinstance(value, str) else None
    return data is not None and len(data) == 32


def is_integer(value, least=0, most=MAX_INTEGER):
    return isinstance(value, float) and value.is_integer() and least <= value <= most


def is_path(value):
    return isinstance(value, list) and len(value) <= MAX_PATH and all(map(is_hash, value))


def is_digest(value):
    return isinstance(value, str) and DIGEST.fullmatch(value) is not None


def is_text(value):
    return isinstance(value, str)


def is_salts(value):
    return isinstance(value, dict) and all(map(is_text, value.values()))


def is_kind(value):
    return value in ('entity', 'action', 'attribution')


def is_one(value):
    return is_integer(value) and value == 1


def is_two(value):
    return is_integer(value) and value == 2


def has_form(value, form, optional=()):
    """Whether an object has exactly these members, each with its check."""
    return (
        isinstance(value, dict)
        and all(name in form for name in value)
        and all(form[name](value[name]) if name in value else name in optional for name in form)
    )


def has_levels(value, most):
    """Whether no value is more than `most` levels below this one."""
    if most < 0:
        return False
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(has_levels(item, most - 1) for item in items)


def is_receipt(value):
    def matches(pattern):
        return lambda text: isinstance(text, str) and re.fullmatch(pattern, text) is not None

    heads = {'index': is_integer, 'size': lambda size: is_integer(size, 1), 'path': is_path}
    anchor = {
        'root': is_hash,
        'heads': lambda item: has_form(item, heads),
        'chainId': lambda chain: is_integer(chain, 1),
        'chainName': is_text,
        'contractAddress': matches('0x[0-9a-fA-F]{40}'),
        'txHash': matches('0x[0-9a-f]{64}'),
        'blockNumber': is_integer,
        'logIndex': is_integer,
    }
    record = {
        'kind': is_kind,
        'digest': is_digest,
        'body': lambda body: isinstance(body, dict) and has_levels(body, MAX_BODY_LEVELS),
        'salts': is_salts,
    }
    log = {
        'origin': lambda origin: is_text(origin) and origin != '',
        'leafIndex': is_integer,
        'leafHash': is_hash,
        'inclusionPath': is_path,
        'checkpoint': is_text,
    }
    form = {
        'version': is_one,
        'record': lambda item: has_form(item, record),
        'log': lambda item: has_form(item, log),
        'anchor': lambda item: has_form(item, anchor, ('heads',)),
    }
    return has_form(value, form, ('anchor',))


def is_bundle(value):
    def each(check):
        return lambda items: isinstance(items, list) and all(map(check, items))

    def record_with(*names):
        return lambda item: isinstance(item, dict) and all(is_text(item.get(name)) for name in ('id', *names))

    def is_action(item):
        return record_with('performedBy', 'digest')(item) and all(
            is_texts(item.get(name)) for name in ('inputCids', 'outputCids')
        )

    chain = {'count': is_integer, 'head': is_hash}
    step = {'bit': lambda bit: is_integer(bit, 0, 255), 'hash': is_hash}
    is_v2 = bundle_version(value['proof']) == 2
    is_version = is_two if is_v2 else is_one

    def is_attribution(item):
        targets = ('actionId', 'resourceCid') if is_v2 else ()
        return record_with('entityId')(item) and all(is_text(item.get(name, '')) for name in targets)

    chains = {name: lambda item: has_form(item, chain) for name in ('made', 'used', 'attributed')[: 3 if is_v2 else 2]}
    place = {
        'path': lambda items: len(items) <= 256 and each(lambda item: has_form(item, step))(items)
        if isinstance(items, list)
        else False,
        'other': lambda item: has_form(item, {'key': is_hash, 'value': is_hash}),
    }
    statement = {
        'version': is_version,
        'kind': lambda kind: kind == 'mentions',
        'leaves': is_integer,
        'names': is_integer,
        'root': is_hash,
    }
    mentions = {
        'statement': lambda item: has_form(item, statement),
        'leafIndex': is_integer,
        'inclusionPath': is_path,
        'byName': lambda items: isinstance(items, dict)
        and all(has_form(item, {**chains, **place}, ('other',)) for item in items.values()),
    }
    if is_v2:
        of_action = {'attributed': chains['attributed'], **place}
        mentions['byAction'] = lambda items: isinstance(items, dict) and all(
            has_form(item, of_action, ('other',)) for item in items.values()
        )
    record = {
        'kind': is_kind,
        'id': is_text,
        'digest': is_digest,
        'leafIndex': is_integer,
        'inclusionPath': is_path,
        'salts': is_salts,
        'erased': lambda items: isinstance(items, dict) and all(map(is_hash, items.values())),
    }
    signature = {'keyid': is_text, 'sig': is_text}
    proof = {
        'version': is_version,
        'direction': lambda way: way in ('ancestors', 'descendants', 'both'),
        'origin': lambda origin: is_text(origin) and origin != '',
        'checkpoint': is_text,
        'records': each(lambda item: has_form(item, record, ('erased',))),
        'mentions': lambda item: has_form(item, mentions),
        'signatures': lambda items: isinstance(items, list)
        and len(items) <= 100
        and all(has_form(item, signature) for item in items),
    }
    return (
        isinstance(value, dict)
        and is_text(value.get('cid'))
        and each(record_with())(value.get('entities'))
        and each(is_action)(value.get('actions'))
        and each(is_attribution)(value.get('attributions'))
        and is_salts(value.get('aliases', {}))
        and isinstance(value.get('complete'), bool)
        and has_form(value.get('proof'), proof)
    )


# Section 3: tree


def leaf_hash(data):
    return sha256(b'\0', data)


def node_hash(left, right):
    return sha256(b'\1', left, right)


def digest_bytes(digest):
    return bytes.fromhex(digest[len('sha256:') :])


def verify_inclusion(index, leaf, path, size, root):
    """RFC 9162 section 2.1.3.2."""
    if index >= size:
        return False
    node, last, result = int(index), int(size) - 1, leaf
    for sibling in path:
        if last == 0:
            return False
        if node & 1 or node == last:
            result = node_hash(sibling, result)
            while not node & 1 and node != 0:
                node >>= 1
                last >>= 1
        else:
            result = node_hash(result, sibling)
        node >>= 1
        last >>= 1
    return last == 0 and result == root


# Section 4: checkpoint


def key_id(name, public_key):
    return sha256(name.encode() + b'\n\1' + public_key)[:4].hex()


def parse_key(text):
    """Returns the name (None for a bare key) and the public key of the trusted log, or None."""
    if re.fullmatch('[0-9a-fA-F]{64}', text):
        return None, bytes.fromhex(text)
    parts = text.split('+', 2)
    if len(parts) != 3 or not NAME.fullmatch(parts[0]):
        return None
    data = decode_base64(parts[2])
    if data is None or len(data) != 33 or data[0] != 1 or key_id(parts[0], data[1:]) != parts[1]:
        return None
    return parts[0], data[1:]


def verifies(public_key, message, signature):
    if len(signature) != 64:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
        return True
    except (InvalidSignature, ValueError):
        return False


def parse_checkpoint(note):
    """Returns origin, size, root, signed text and signatures; raises malformedCheckpoint."""
    fault = Fault('malformedCheckpoint')
    end = note.rfind('\n\n')
    if end < 0 or not note.endswith('\n') or any(char < ' ' and char != '\n' for char in note):
        raise fault
    text, lines = note[: end + 1], note[end + 2 :].split('\n')[:-1]
    if not 1 <= len(lines) <= 100:
        raise fault
    signatures = []
    for line in lines:
        parts = line.split(' ')
        data = decode_base64(parts[2]) if len(parts) == 3 and parts[0] == '\u2014' else None
        if data is None or len(data) < 5 or not NAME.fullmatch(parts[1]):
            raise fault
        signatures.append((parts[1], data[:4].hex(), data[4:]))
    origin, size, root, *extensions = [*text[:-1].split('\n'), '', ''] if text.count('\n') < 3 else text[:-1].split('\n')
    if origin == '' or not re.fullmatch('0|[1-9][0-9]*', size) or int(size) > MAX_INTEGER:
        raise fault
    if not is_hash(root) or '' in extensions:
        raise fault
    return origin, int(size), decode_base64(root), text, signatures


def check_checkpoint(note, origin, trusted):
    """Returns size, root and the first three lines of a checkpoint that the trusted key signed."""
    name, public_key = trusted
    found, size, root, text, signatures = parse_checkpoint(note)
    if found != origin or found != (found if name is None else name):
        raise Fault('otherOrigin')
    own = [one for one in signatures if one[0] == found and one[1] == key_id(found, public_key)]
    if not NAME.fullmatch(found) or not own:
        raise Fault('untrustedKey')
    if not all(verifies(public_key, text.encode(), signature) for _, _, signature in own):
        raise Fault('badSignature')
    return size, root, ''.join(f'{line}\n' for line in text.split('\n')[:3])


# Section 5: receipt


def verify_receipt(value, trusted, strict):
    if isinstance(value, dict) and not is_one(value.get('version')):
        raise Fault('unsupportedVersion')
    if not is_receipt(value):
        raise Fault('malformed')
    record, log, anchor = value['record'], value['log'], value.get('anchor')
    kind, body, salts = record['kind'], record['body'], record['salts']
    if any(name in body for name in VOLATILE):
        raise Fault('uncommittedMember')
    check_record(kind, body, salts, record['digest'])
    warnings = ['unusedSalt'] if has_unused_salt(kind, body, salts) else []
    if strict and warnings:
        raise Fault(warnings[0])
    leaf = leaf_hash(digest_bytes(record['digest']))
    if decode_base64(log['leafHash']) != leaf:
        raise Fault('leafMismatch')
    size, root, text = check_checkpoint(log['checkpoint'], log['origin'], trusted)
    check_tree(log['leafIndex'], log['inclusionPath'], leaf, size, root)
    if anchor is not None:
        check_anchor(anchor, record['digest'], text)
    return {'verified': True, 'kind': kind, 'digest': record['digest'], 'anchorChecked': False, 'warnings': warnings}


def check_record(kind, body, salts, digest):
    if not is_of_kind(kind, body):
        raise Fault('otherKind')
    if record_digest(kind, body, salts) != digest:
        raise Fault('digestMismatch')


def check_tree(index, path, leaf, size, root):
    if index >= size:
        raise Fault('leafOutsideTree')
    if not verify_inclusion(index, leaf, [decode_base64(one) for one in path], size, root):
        raise Fault('notIncluded')


def check_anchor(anchor, digest, text):
    """Section 6."""
    root, heads = decode_base64(anchor['root']), anchor.get('heads')
    if heads is None:
        holds = root == digest_bytes(digest)
    else:
        path = [decode_base64(one) for one in heads['path']]
        holds = verify_inclusion(heads['index'], leaf_hash(text.encode()), path, heads['size'], root)
    if not holds:
        raise Fault('notAnchored')


# Sections 7 and 8: map of identifiers, proven bundle


def verify_bundle(value, trusted, strict):
    proof = value['proof']
    if bundle_version(proof) is None:
        raise Fault('unsupportedVersion')
    if not is_bundle(value):
        raise Fault('malformed')
    size, root, _ = check_checkpoint(proof['checkpoint'], proof['origin'], trusted)
    check_signature(value, trusted[1])
    pairs = pair_records(value)
    has_unused = False
    for kind, body, own in pairs:
        check_bundle_record(kind, body, own, strict)
        has_unused = has_unused or has_unused_salt(kind, body, own['salts'])
        check_tree(own['leafIndex'], own['inclusionPath'], leaf_hash(digest_bytes(own['digest'])), size, root)
    known = {entity['id'] for entity in value['entities']}
    named = [one['performedBy'] for one in value['actions']] + [one['entityId'] for one in value['attributions']]
    if not all(one in known for one in named):
        raise Fault('absentEntity')
    check_statement(proof['mentions'], size, root)
    check_mentions(value)
    records = [body for _, body, _ in pairs]
    unproven = ['resources'] if 'resources' in value else []
    unproven += [name for name in ('recordedAt', 'onchain') if any(name in body for body in records)]
    return {
        'verified': True,
        'cid': value['cid'],
        'records': len(records),
        'complete': value['complete'],
        'coveredLeaves': int(proof['mentions']['statement']['leaves']),
        'unproven': unproven + (['attributions'] if bundle_version(proof) == 1 else []),
        'warnings': ['unusedSalt'] if has_unused else [],
    }


def bundle_version(proof):
    """Returns 1 or 2, or None for another version. A proof without a version counts as version 1, and is malformed."""
    if not isinstance(proof, dict) or 'version' not in proof or is_one(proof['version']):
        return 1
    statement = proof.get('mentions')
    for name in ('statement', 'version'):
        statement = statement.get(name) if isinstance(statement, dict) else None
    return 2 if is_two(proof['version']) and is_two(statement) else None


def check_signature(value, public_key):
    proof = value['proof']
    own = [one for one in proof['signatures'] if one['keyid'] == key_id(proof['origin'], public_key)]
    if not own:
        raise Fault('notSigned')
    unsigned = {name: item for name, item in proof.items() if name != 'signatures'}
    payload = canonical({**value, 'proof': unsigned}).encode()
    message = f'DSSEv1 {len(BUNDLE_TYPE)} {BUNDLE_TYPE} {len(payload)} '.encode() + payload
    if not all(verifies(public_key, message, decode_base64(one['sig']) or b'') for one in own):
        raise Fault('badBundleSignature')


def pair_records(value):
    lists = (('entity', 'entities'), ('action', 'actions'), ('attribution', 'attributions'))
    records = [(kind, body) for kind, name in lists for body in value[name]]
    proofs = {(one['kind'], one['id']): one for one in value['proof']['records']}
    ids = {(kind, body['id']) for kind, body in records}
    if not len(records) == len(value['proof']['records']) == len(proofs) == len(ids) or ids != set(proofs):
        raise Fault('unprovenRecord')
    return [(kind, body, proofs[kind, body['id']]) for kind, body in records]


def check_bundle_record(kind, body, own, strict):
    restored = restore_erased(kind, body, own)
    check_record(kind, restored, own['salts'], own['digest'])
    if strict and has_unused_salt(kind, body, own['salts']):
        raise Fault('unusedSalt')
    if kind == 'action' and body['digest'] != own['digest']:
        raise Fault('digestMismatch')


def restore_erased(kind, body, own):
    erased = own.get('erased', {})
    if not erased:
        return body
    restored = deep_copy({name: value for name, value in body.items() if name != 'erasure'})
    for pointer, commitment in erased.items():
        *path, name = [one.replace('~1', '/').replace('~0', '~') for one in pointer.split('/')[1:]] or ['']
        owner = restored
        for step in path:
            owner = owner.get(step) if isinstance(owner, dict) else None
        if not isinstance(owner, dict) or name in owner:
            raise Fault('digestMismatch')
        owner[name] = {'c': commitment}
    opened = {pointer for _, _, pointer in personal_fields(kind, restored) if pointer not in own['salts']}
    if opened != set(erased):
        raise Fault('digestMismatch')
    return restored


def check_statement(mentions, size, root):
    statement, index = mentions['statement'], mentions['leafIndex']
    leaf = leaf_hash(sha256(canonical(statement).encode()))
    path = [decode_base64(one) for one in mentions['inclusionPath']]
    if not verify_inclusion(index, leaf, path, size, root) or statement['leaves'] > index:
        raise Fault('otherStatement')


NO_ACTIONS = (0, bytes(32))


def to_chain(stated):
    return int(stated['count']), decode_base64(stated['head'])


def bit_of(key, bit):
    return key[bit // 8] >> (7 - bit % 8) & 1


def walk_holds(key, leaf, path, root):
    result, below = leaf, 256
    for step in path:
        bit, sibling = int(step['bit']), decode_base64(step['hash'])
        if bit >= below:
            return False
        pair = sibling + result if bit_of(key, bit) else result + sibling
        result, below = sha256(b'\1', bytes([bit]), pair), bit
    return result == root


def is_stated(key, stated, statement):
    root = decode_base64(statement['root'])
    chains = [to_chain(stated[name]) for name in ('made', 'used', 'attributed') if name in stated]
    is_none = all(chain == NO_ACTIONS for chain in chains)
    if 'other' in stated:
        other, value = decode_base64(stated['other']['key']), decode_base64(stated['other']['value'])
        return is_none and other != key and walk_holds(key, sha256(b'\0', other, value), stated['path'], root)
    if is_none:
        return statement['names'] == 0 and not stated['path'] and root == sha256()
    value = sha256(*(part for count, head in chains for part in (count.to_bytes(8, 'big'), head)))
    return walk_holds(key, sha256(b'\0', key, value), stated['path'], root)


def check_mentions(value):
    mentions, aliases = value['proof']['mentions'], value.get('aliases', {})
    by_name, by_action = mentions['byName'], mentions.get('byAction')
    entries = [(sha256(name.encode()), stated) for name, stated in by_name.items()]
    entries += [(sha256(b'\0', id.encode()), stated) for id, stated in (by_action or {}).items()]
    if not all(is_stated(key, stated, mentions['statement']) for key, stated in entries):
        raise Fault('otherMentions')
    named = [cid for action in value['actions'] for cid in action['inputCids'] + action['outputCids']]
    if not all(name in by_name for name in [*named, value['cid'], *aliases]):
        raise Fault('unstatedName')
    if by_action is not None:
        if not all(name in by_name for name in aliases.values()):
            raise Fault('unstatedName')
        if not all(action['id'] in by_action for action in value['actions']):
            raise Fault('unstatedName')
    ways = {
        'ancestors': [('made', 'outputCids', 'inputCids')],
        'descendants': [('used', 'inputCids', 'outputCids')],
    }
    ways['both'] = ways['ancestors'] + ways['descendants']
    if value['complete'] and not all(is_whole(value, *way) for way in ways[value['proof']['direction']]):
        raise Fault('leftOut')
    if value['complete'] and by_action is not None and not has_attributions(value):
        raise Fault('leftOut')


def has_attributions(value):
    """Whether the bundle has all attributions of its actions and of its contents (proven-bundles-v2.md, section 3)."""
    proof, aliases = value['proof'], value.get('aliases', {})
    mentions = proof['mentions']
    leaves = mentions['statement']['leaves']
    own = {one['id']: one for one in proof['records'] if one['kind'] == 'attribution'}
    chains = {}
    for one in sorted(value['attributions'], key=lambda one: own[one['id']]['leafIndex']):
        proven = own[one['id']]
        for member in ('actionId', 'resourceCid') if proven['leafIndex'] < leaves else ():
            if member in one:
                count, head = chains.get((member, one[member]), NO_ACTIONS)
                chains[member, one[member]] = count + 1, sha256(b'\2', head, digest_bytes(proven['digest']))

    def matches(stated, member, target):
        return to_chain(stated['attributed']) == chains.get((member, target), NO_ACTIONS)

    named = [cid for action in value['actions'] for cid in action['inputCids'] + action['outputCids']]
    contents = {aliases.get(name, name) for name in [value['cid'], *named]}
    names = contents | {alias for alias, target in aliases.items() if target in contents}
    return all(
        matches(mentions['byAction'][action['id']], 'actionId', action['id']) for action in value['actions']
    ) and all(matches(mentions['byName'][name], 'resourceCid', name) for name in names)


def is_whole(value, chain, near, far):
    proof, aliases = value['proof'], value.get('aliases', {})
    leaf_of = {one['id']: one['leafIndex'] for one in proof['records'] if one['kind'] == 'action'}
    actions = sorted(value['actions'], key=lambda action: leaf_of[action['id']])
    covered, by_name = proof['mentions']['statement']['leaves'], proof['mentions']['byName']
    reached, waiting = {value['cid']}, [value['cid']]
    while waiting:
        content = waiting.pop()
        for name in [content, *(alias for alias, target in aliases.items() if target == content)]:
            found = [action for action in actions if name in action[near]]
            count, head = NO_ACTIONS
            for action in found:
                if leaf_of[action['id']] < covered:
                    count, head = count + 1, sha256(b'\2', head, digest_bytes(action['digest']))
            if name not in by_name or to_chain(by_name[name][chain]) != (count, head):
                return False
            for following in (cid for action in found for cid in action[far]):
                target = aliases.get(following, following)
                if target not in reached:
                    reached.add(target)
                    waiting.append(target)
    return True


# Section 12: cosignatures


def parse_witness_key(text):
    """Returns the name, the key id and the public key of a witness, or None."""
    parts = text.split('+', 2)
    data = decode_base64(parts[2]) if len(parts) == 3 and NAME.fullmatch(parts[0]) else None
    if data is None or len(data) != 33 or data[0] != 4:
        return None
    own = sha256(parts[0].encode() + b'\n' + data)[:4].hex()
    return (parts[0], own, data[1:]) if own == parts[1] else None


def verify_cosignature(text, signatures, witness):
    """Returns the time that the witness states, `absent` or `badSignature`."""
    name, own_id, public_key = witness
    times = []
    for line_name, line_id, signature in signatures:
        if (line_name, line_id) != (name, own_id):
            continue
        time = int.from_bytes(signature[:8], 'big')
        message = f'cosignature/v1\ntime {time}\n{text}'.encode()
        if len(signature) != 72 or time > MAX_INTEGER or not verifies(public_key, message, signature[8:]):
            return 'badSignature'
        times.append(time)
    return max(times) if times else 'absent'


def verify_witnesses(note, witnesses, quorum):
    """Returns the report on the cosignatures of a checkpoint. Equal public keys count once."""
    cosigned, missing, counted = [], [], set()
    try:
        _, _, _, text, signatures = parse_checkpoint(note)
    except Fault as fault:
        return {'verified': False, 'code': str(fault), 'cosigned': cosigned, 'missing': missing}
    for witness in witnesses:
        result = verify_cosignature(text, signatures, witness)
        named = {'name': witness[0], 'keyId': witness[1]}
        if isinstance(result, str):
            missing.append({**named, 'reason': result})
        elif witness[2] not in counted:
            counted.add(witness[2])
            cosigned.append({**named, 'timeSeconds': result})
    is_reached = isinstance(quorum, int) and 0 <= quorum <= len(cosigned)
    holds = {'verified': True} if is_reached else {'verified': False, 'code': 'belowQuorum'}
    return {**holds, 'cosigned': cosigned, 'missing': missing}


def checkpoint_of(source):
    """Returns the checkpoint of a document that verifies."""
    value, _ = parse(source)
    return (value['proof'] if 'proof' in value else value['log'])['checkpoint']


# Section 10: report


def verify(source, key, strict=False):
    """Returns the report on a text or on bytes; `key` is the result of `parse_key`."""
    try:
        value, is_canonical = parse(source)
        if strict and not is_canonical:
            raise Fault('numberText')
        is_proven = isinstance(value, dict) and 'proof' in value
        report = (verify_bundle if is_proven else verify_receipt)(value, key, strict)
    except Fault as fault:
        return {'verified': False, 'code': str(fault)}
    if not is_canonical:
        report['warnings'].insert(0, 'numberText')
    return report


def main():
    parser = argparse.ArgumentParser(description='Verifies a receipt or a proven bundle offline.')
    parser.add_argument('file')
    parser.add_argument('--key', help="the log's verifier key, or its public key as 64 hex digits")
    parser.add_argument('--strict', action='store_true', help='refuse what is only a warning otherwise')
    parser.add_argument('--witness', action='append', default=[], help="a witness's key; may be repeated")
    parser.add_argument('--quorum', type=int, help='how many of these witnesses must have cosigned (default: all)')
    parser.add_argument('--lines', action='store_true', help='verify each line {"text", "key", "strict"} of the file')
    options = parser.parse_args()
    with open(options.file, 'rb') as file:
        source = file.read()
    if options.lines:
        for line in filter(None, source.decode().split('\n')):
            case = json.loads(line)
            report = verify(case['text'], parse_key(case['key']), case['strict'])
            print(json.dumps(report))
        return 0
    key = parse_key(options.key or '')
    if key is None:
        parser.error('--key takes <origin>+<key id>+<base64>, or 64 hex digits')
    witnesses = [parse_witness_key(text) for text in options.witness]
    if None in witnesses:
        parser.error('--witness takes <name>+<key id>+<base64>')
    quorum = len(witnesses) if options.quorum is None else options.quorum
    if options.quorum is not None and not 1 <= quorum <= len(witnesses):
        parser.error('--quorum takes 1 to the number of --witness options')
    report = verify(source, key, options.strict)
    is_cosigned = True
    if witnesses and report['verified']:
        report['witnesses'] = verify_witnesses(checkpoint_of(source), witnesses, quorum)
        is_cosigned = report['witnesses']['verified']
    print(json.dumps(report, indent=2))
    return 0 if report['verified'] and is_cosigned else 3


if __name__ == '__main__':
    sys.exit(main())
