import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { LAYERS, readFunctions, readMigrations } from '../../src/platform/db/layers.js';

/** Databases hold these checksums, so a released file never changes. */
const RELEASED: Readonly<Record<string, string>> = {
  'control/0001-projects-and-keys.sql': 'e78c2a6a78b77d9d669d1d96b873dffe071726bc36ddeb773cd3e5d9049b6322',
  'control/0002-organisations.sql': 'c4e623136bc56a9b54c7499e70f41a8a6eb4b840796eed2d7068726355459db5',
  'control/0003-usage.sql': '73334214e33495940eab338b540ab52c7ed7d0385ba0bb73e0a099fb819d888b',
  'control/0004-pinning.sql': '34fef86796ca941335b2c8889dc0da912d822984fe2d32237f6d2a4de04a21cd',
  'control/0010-anchoring.sql': '0a035bebd08b8356f4b86b8b9203e232435e759a350ec72b4b9e3478e985fdbf',
  'control/0020-sessions.sql': '9d6b057da24db099a782d83949569f8b9ac6c64c55007936bf59fd42cb881391',
  'control/0023-bound-keys.sql': 'fe23bc158359c3f74f402abb0d781061a0542dc8dfb7e5862e93ca18038e8a02',
  'control/0035-publications.sql': 'f54baf3d60a385366a6ea5b9198407d74080f94f089101d9e98ea75a18380446',
  'control/0040-webhooks.sql': '5de7afdd0927b75d0bc1ac51d17d2b4f22147cfe9cbb21a10553d83cd3af537c',
  'control/0050-project-limits.sql': 'f5addfa8105ee95cc1d82e5926a09137799c242ad8e04bf7142496572594e76d',
  'control/0131-public-logs.sql': 'd881fd0caa196843632c1e16d7439503286890df55b8a88d841615c7cf49b6a6',
  'control/0137-live-publications.sql': '0104948008aa1375267795c1b90b93bfac90d8d0a9da265b2d5855c3aab05bd0',
  'control/0138-public-detector.sql': '1e481846e580961d0cd47fe47e6efb36735f7acc72657fdc881e9d586608ba24',
  'control/0143-detection-counts.sql': 'a04596f87ec3418f259c2eb63540b9716af1abb9bedc71e49801fc03c74413c7',
  'control/0148-project-changes.sql': '8dc1be50afacb21c2ee7b70ec9f5c85e5b4133758ec3657f456b7d6d50685466',
  'control/0153-count-publications.sql': '588f1ca8a405486710f3088b057776a2ef6bc2f64f32606474039325a7441fd8',
  'control/0155-org-creator.sql': 'e4ba6a51411b3f9ff3130c68e6ba30e2196af945bf16a06df912136a6b6d9c82',
  'control/0157-publication-titles.sql': 'e81f60667f5a2896cc025764a22d0f152d69f5a269fcd54b74127e35116b6543',
  'control/0160-publication-views.sql': 'fa2cee5c0a233b4395237f3a7ec2dbcd93bd140d550336638525b26205e86404',
  'control/0161-publication-pictures.sql': '9fb36f4678954270b83440ba976efc8388687afa92a7f9e06286480bc4197696',
  'control/0162-invitation-ids.sql': '38e93582b7d06508bbc56b044d74ea3d3999e322c44a07c457d83bc8975a2886',
  'control/0163-publication-licenses.sql': '13c839f98c3914d51aa7eca915f44661a33cf629be4bf149ca8dadb902df9d52',
  'control/0164-created-today.sql': '4ff4fbcaef8ada27a91e88f03ee257938c69d0854b6ced2ba8f484151c1c8170',
  'control/0165-control-lists.sql': '515396ab45f667e4ca50e84e43ba589bf350e809082c5c4558c6e62988f27d35',
  'control/0166-usage-months.sql': 'e07b598bef8d665a7e0003fbb438d7f83a555b9b410e31106135cf45357bafaa',
  'control/0170-detectable-projects.sql': 'c25aafbdada127565b523d4ceb64a6fd31c4b84ee1b6d2f3bd278d6985bd5f66',
  'control/0171-publications-of-content.sql':
    '2fc89af5018dfcd247163435d7541e8f7c0a4197e09fadce497bec966cb82cf7',
  'control/0172-drop-live-publications.sql':
    '23a336f7ca7ac90382c5e17b29b4c217fd8b1be7ff0e03125e9b288d9d676866',
  'control/0173-sign-in-addresses.sql': '754b10d40ec7d59bad8e01a04d11027786e14b60f9652a5c57084bea3dba1b26',
  'control/0174-publications-of-content-in-project.sql':
    'c0f8917a76acaeece573cef0a0d1982c4afd00bb236eb88e8297db12f281b970',
  'control/0184-sign-in-networks.sql': '21e9f7e8dcbb8773c5b2cb6905586f264b2c66989d95f25e23837be52141a975',
  'provenance/0001-records.sql': 'a56bb84029ee5678f80c06e4f42b7f4eb7f2e7725232665c7d3e0b1002391db6',
  'provenance/0002-outbox.sql': '1fdd8ec0ecec25b7665f02aef6da410b34f81be8012a1c86a74f40fb622a515b',
  'provenance/0003-weights.sql': 'f3c21d4f2ad824fadd7be932755a6ed4ba6ae94c419900410d8033d802bb43ce',
  'provenance/0004-resource-extensions.sql':
    '49b310fdaa37a4452b938c6154fa79644f7731eeccdf17bfd6b5a76fbf207082',
  'provenance/0010-pins.sql': 'd25b40b23347c3e9e8d25189198e6ea1da45cae63c082cab0b30e8b1520f99a8',
  'provenance/0020-descriptors.sql': 'af58096e3a1667d07c0c026c38c9e1bf40f11ed4101ecbc4d69848e95c841843',
  'provenance/0021-manifest-labels.sql': '99a6b1626bc566312aedc3504a4c23a8828476a6eb31aada1a61f122bbb0d5bc',
  'provenance/0022-soft-bindings.sql': '992c3247eefc5ed4aa29f03e477beef5d01fae0b89bb531f3a1fd642339fc1ab',
  'provenance/0030-log.sql': '9ca82e612e86a3aaa6ee228a54f0b095af80c0af739b9fb91fa08a853af8325b',
  'provenance/0040-anchors.sql': 'b93444f4a16c4261ec53c7156f68af512069afdbd4817f35594cc03f082f48bf',
  'provenance/0050-mentions.sql': '829ca4c421e4ebec740ce0f4d29279447c855a377a3c25686dffbb8a8e721bb4',
  'provenance/0060-erasure.sql': 'e639a1134aa2ac7612328a155365f7d87f97f93797c0e42cf8c1e9b20d76cc78',
  'provenance/0061-audit.sql': '69cbde4e2c9e3c9d57dced0df343cca37435264b9948f8effe3a919193ea4c7c',
  'provenance/0062-proof-uses.sql': '97dc5745ca35a15014aadd3822c9c517c5b36acf000bb6fdde3f33c6ef96e74b',
  'provenance/0080-ownership.sql': '61ce4986f8c06e30e45fd606ddfebae56b27d587251c9fd59956da242170ee5b',
  'provenance/0110-webhooks.sql': '29125121d1bf0eff44eff2e59d8d8bdebdf4604b91d4e753ab84c538c854f935',
  'provenance/0120-revision.sql': '7e630c45a963ec474fa87c7632fd1916e54dbfd56ce9d92d3a81472beaf45f76',
  'provenance/0121-descriptor-write-numbers.sql':
    'e99ee4c5fd3db10244a27e0f461dc8e19fb5a87ab16bf9a013ec66e7befe2dbe',
  'provenance/0122-entity-names.sql': '5dc318a193aef2034512ca009a9f0d3015be4a80a1f45c8ed2ec49759abd0bee',
  'provenance/0123-log-origins.sql': 'b862a542952880328c3707c98d78546fe1967f2f7301dd0b28a0889a759256ad',
  'provenance/0124-resource-lists.sql': 'c31827f9eb76faf6798739d25b12f2e68e3fe07ab7c3f94740080d1e1d96c69e',
  'provenance/0125-cosignatures.sql': '9addd8ff7d6838777f2fecb5685d8f1f52660e1b8d716af48c2ee08d60ed5888',
  'provenance/0128-timestamps.sql': 'efb7d87852820975c708ce481072f57363276c5024b5f16ad963b1689a27f885',
  'provenance/0129-record-map.sql': '9d050be91e40472f288fb2d7d1f1ea0d08064ea57c00181d670b9a9fc06eab2f',
  'provenance/0130-log-keys.sql': '3ce4200a695d5683823e93e8d83c3cd65d399d6438be2ca945315693122ecc8d',
  'provenance/0139-soft-binding-digests.sql':
    'aaa9ecca911b25257279b9bca43d42b8b5e7dd3c6fde5b3c93e32fe4f6868f54',
  'provenance/0140-map-gaps.sql': 'b9da983ae63aea3f9847c95c7b03fa59b48b96bdd35f8827424b8e55d7db7dd1',
  'provenance/0141-iscc.sql': '5c7b824b90e058408eb178fb80d4d49ee85e5264d09d954d7fb2980c2f41a1fb',
  'provenance/0142-ai-records.sql': '900728d046f6d9e3f7b318b5137f3f1d62503f863fd74cf7e9f58f18da92fc17',
  'provenance/0144-jobs-by-project.sql': 'eb6245b2eefb21d2db582c069594189ff41273df5bb49a35665182ccc134c745',
  'provenance/0145-missed-events.sql': '2053f4ab4be01d578754207bfa8686ce23a3903bb493c2befd42c204a44cc91b',
  'provenance/0146-attributions-of-content.sql':
    '6dbd275ab1d3c15a8819b7d7d60e6f51f62c76b0dbd7b3a5afe48c6604b35be7',
  'provenance/0156-outcome-sizes.sql': '5aa3149482764990113aee59f28ebeddc981de9aaed97f073799628da4e4a0ac',
  'provenance/0157-content-titles.sql': 'd5fcf3778d1a170ca8874109b245f861c092c68301624f9ee20bb9a2d0238f87',
  'provenance/0158-thumbnails.sql': 'aa878024a8cba19319662ff4b73e6ee0203acd951addcdb78a9a77a7928d8c69',
  'provenance/0160-library.sql': 'afd1527e7ffc00e24358e043c5936509b39ecefcd22d5598f2eff562f961697a',
  'provenance/0161-library-fill.sql': '8d83c1776b6296c0fc08ba98281d1f917246081992f3f61413db09eeb93d7c23',
  'provenance/0162-statements-without-ai.sql':
    '38b637fb74a356da26b920412d4cf49076254ddd3752aaa55498b307944af293',
  'provenance/0175-actions-oldest-first.sql':
    '204e59d3de18db3ed059ed463fa3e7ff8ebf7f140c9ecf2b4ae5054957283cef',
  'provenance/0176-replace-action-indexes.sql':
    '9999fa3e8263ccbff39486256003083dccf7e714653f598f72bafea984fa68cc',
  'provenance/0177-attributions-oldest-first.sql':
    'ba27a442a960bb26eeedfc4a979507d3ac16bd9c8baa3aa95aa5ef005a90e516',
  'provenance/0178-replace-attribution-indexes.sql':
    '21cdd1b0cfca03efb76f26709f3694f533a296b8efc2695f91ac063558cdb1f6',
  'provenance/0179-contents-oldest-first.sql':
    'c59d67a9045accb5938aa649866443e06636324ef61b2b288048a320a4abbee7',
  'provenance/0180-replace-resource-indexes.sql':
    'e0eb9f9a8a735e2bd9bd823f07b2e04bd68406b9e0bbb63db1ea6a7fb7599dcc',
  'provenance/0181-packed-map-roots.sql': '4632fa6894146b1a101aa5c205aa58dbe29179e9a4a92ae043e36e30c2ceaa3a',
  'provenance/0182-drop-unused-functions.sql':
    '51b33cb8e63bf168dc608cf95acc8b7d6cfac562dfc793066761edb5648f53bd',
  'provenance/0183-content-makers.sql': '460a78bdeab8b596467aacab8beb272b6b492ad0beb69ca13ace7944a00f2478',
  'provenance/0184-webhook-bodies.sql': '0d445d3378b2e68d56c019344e531f23aff2710009e3088747e542c05d5388b4',
};

it('released migrations stay byte-identical, comments included', () => {
  const migrations = LAYERS.flatMap((layer) =>
    readMigrations(layer).map(({ name, checksum }) => [`${layer}/${name}`, checksum]),
  );
  expect(Object.fromEntries(migrations)).toEqual(RELEASED);
});

/** Earlier migrations stay as they are. */
const FIRST_CHECKED = '0175';

it('a migration that drops indexes creates none, locks the table first, and drops one per statement', () => {
  const texts = readMigrations('provenance').filter(({ name }) => name >= FIRST_CHECKED);
  const dropping = texts.filter(({ sql }) => /^drop index/m.test(sql));
  expect(dropping).not.toEqual([]);
  for (const { name, sql } of dropping) {
    const statements = sql.replaceAll(/^--.*\n/gm, '').split(';');
    expect(statements[0], name).toContain('lock table');
    // While `create index` runs, a recording can read the table, but its writes wait. If the same migration then ran
    // `drop index`, it would wait for the recording: a deadlock.
    expect(sql, name).not.toContain('create index');
    // Citus drops only one distributed index in a statement.
    const drops = statements.filter((statement) => statement.includes('drop index'));
    expect(
      drops.filter((statement) => statement.includes(',')),
      name,
    ).toEqual([]);
  }
});

it('a migration can run as a block of PL/pgSQL, as on a cluster', () => {
  for (const { name, sql } of readMigrations('provenance').filter(({ name }) => name >= FIRST_CHECKED)) {
    expect(sql, name).not.toMatch(/^\s*select\b/im);
    expect(sql, name).not.toContain('$migration$');
  }
});

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url));

it('each SQL function has its own file and name, and at least one caller', () => {
  const calls = new Set<string>();
  for (const file of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(ts|sql)$/.test(file)) continue;
    const text = readFileSync(path.join(SOURCES, file), 'utf8').replaceAll(/^drop function.*\n/gm, '');
    const own = /^create or replace function (\S+?)\(/m.exec(text)?.[1];
    for (const [, name = ''] of text.matchAll(/\b((?:control|provenance)\.\w+) ?\(/g))
      if (name !== own) calls.add(name);
  }
  const functions = LAYERS.flatMap(readFunctions);
  const names = functions.flatMap(({ sql }) =>
    [...sql.matchAll(/^create or replace function (\S+?)\(/gm)].map(([, name = '']) => name),
  );
  expect(names).toHaveLength(functions.length);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => !calls.has(name))).toEqual([]);
});
