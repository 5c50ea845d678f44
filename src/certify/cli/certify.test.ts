// @module-tag slow
/** `sparring certify` over sockets, against an Ordering Application of ours in another session. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CertifyVerb, openCertifyVerb } from '../../../test/support/certify-verb.ts'
import { openSession } from '../../core/session/open-session.ts'
import type { SessionOptions } from '../../core/session/options.ts'
import { words } from '../../../test/support/shell-words.ts'

let verb: CertifyVerb

beforeAll(async () => {
  verb = await openCertifyVerb()
})
afterAll(() => verb.close())

const certify = (...args: readonly string[]) => verb.certify(...args)
const at = (name: string): string => verb.at(name)

test('certifies over sockets, writes every report, and the bundle verifies', async () => {
  const { code, stdout, stderr } = await certify(
    verb.url,
    '--only',
    'ORD-OPS-05,ORD-OPS-06',
    '--setup',
    verb.setup,
    '--bundle',
    'certified.tar',
    '--reporter',
    'pretty',
    ...['html', 'json', 'markdown', 'junit', 'sarif', 'github'].flatMap((each) => [
      '--reporter',
      `${each}=report.${each}`,
    ]),
  )
  expect(stderr).toContain('bundle in certified.tar')
  expect(stdout).toMatch(/ordering-application at http:\/\/127\.0\.0\.1:\d+: 2 passed in /)
  expect(code).toBe(0)
  expect(JSON.parse(readFileSync(at('report.json'), 'utf8'))).toMatchObject({
    ok: true,
    counts: { passed: 2, failed: 0 },
  })
  expect(readFileSync(at('report.html'), 'utf8')).toContain('ORD-OPS-05')
  expect(readFileSync(at('report.junit'), 'utf8')).toContain('tests="2"')

  const verified = await certify('verify', 'certified.tar')
  expect(verified.stdout).toContain('its verdicts follow from its recording')
  expect(verified.code).toBe(0)
  // A verdict is edited, and the archive packed again with right hashes.
  const { packBundle, unpackBundle } = await import('./pack-bundle.ts')
  const unpacked = await unpackBundle(readFileSync(at('certified.tar')))
  if (!unpacked.ok) throw new Error(unpacked.error)
  const { manifest, content } = unpacked.value
  const report = Buffer.from(content.get('report.json') ?? '').toString('utf8')
  const edited = new Map(content).set(
    'report.json',
    Buffer.from(report.replace('"outcome": "passed"', '"outcome": "failed"')),
  )
  const head = { ...manifest, version: manifest.product.version }
  writeFileSync(at('edited.tar'), await packBundle(edited, head))
  const refused = await certify('verify', 'edited.tar')
  expect(refused.stdout).toContain(
    'does not verify: ORD-OPS-05 is failed in report.json, and its recording gives passed',
  )
  expect(refused.code).toBe(1)
}, 60_000)

test('--plan calls nothing, and says what is needed and changed', async () => {
  const { code, stdout } = await certify('http://127.0.0.1:9', '--only', 'ORD-OPS-05', '--plan')
  expect(stdout).toMatch(/needs at the service: /)
  expect(stdout).toContain('shows: ORD-OPS-05')
  expect(code).toBe(0)
})

test('clauses of other roles are left out, as long as one is left', async () => {
  const planned = (only: string) => certify('http://127.0.0.1:9', '--only', only, '--plan')
  const { code, stdout, stderr } = await planned('ORD-OPS-05,LOG-RUL-01')
  expect(stdout).toContain('shows: ORD-OPS-05')
  expect(stderr).toContain(
    'no clause of LOG-RUL-01 is checked for an ordering-application: left out',
  )
  expect(code).toBe(0)
  for (const only of ['LOG-RUL-01', 'ORD-OPS-05,XYZ']) expect((await planned(only)).code).toBe(2)
})

test.each([
  [
    'another machine',
    ['http://pos.example.com'],
    /not this machine.*--allow-target pos\.example\.com/,
  ],
  ['no URL', ['nowhere'], /"nowhere" is no URL/],
  ['no address', [], /its URL is not given/],
  ['an unknown capability', ['http://127.0.0.1:9', '--profile', 'order'], /Did you mean "orders"/],
  ['an unknown clause', ['http://127.0.0.1:9', '--only', 'XYZ'], /begins with "XYZ"/],
  ['no data', ['http://127.0.0.1:9', '--data', 'none.yaml'], /none\.yaml/],
  ['no bundle', ['verify', 'none.tar'], /none\.tar/],
])('%s is a clear error', async (_, args, message) => {
  const { code, stderr } = await certify(...args)
  expect(stderr).toMatch(message)
  expect(code).toBe(2)
})

test('a service that does not answer exits with 3', async () => {
  const { code, stderr } = await certify('http://127.0.0.1:9', '--wait-for-subject', '0.1')
  expect(stderr).toMatch(/does not answer/)
  expect(code).toBe(3)
})

/** Our Software Service, as one that speaks a dialect. */
const openSoftwareService = (dialect: SessionOptions['dialect']) =>
  openSession({
    only: ['software-service'],
    dialect,
    as: 'ordering-application',
    port: 0,
    subject: {
      credentials: {
        clientId: 'sparring-ordering-application',
        clientSecret: 'secret-of-ordering-application',
      },
    },
  })

test('[MIG-VER-04] a service that speaks V1 is told what is left to do for V2, in the order of the documents, and its bundle verifies', async () => {
  await using v1 = await openSoftwareService('v1')
  const { code, stdout } = await certify(
    v1.urls.get('software-service') ?? '',
    ...words`--as software-service --dialect v1 --only DIS --reporter migration --bundle v1.tar`,
  )
  expect(code).toBe(0)
  const steps = stdout.split('\n').filter((line) => line.startsWith('- '))
  expect(steps.map((line) => /\*\*\d+ (\w+)\*\*/.exec(line)?.[1])).toEqual([
    'authentication',
    'discovery',
    'merchant',
    'menu',
    'orders',
    'logistics',
    'customer',
    'indoor',
    'transport',
  ])
  expect(stdout).toContain('it publishes no manifest (404)\n')
  expect(stdout).toContain('Publish a manifest at /.well-known/protocol')
  expect((await certify('verify', 'v1.tar')).code).toBe(0)
})

test('[DIS-FLD-01] a service that speaks a dialect is judged in its form, and so is its bundle again', async () => {
  await using service = await openSoftwareService('opendelivery-v2')
  const run = (...more: readonly string[]) =>
    certify(
      service.urls.get('software-service') ?? '',
      ...words`--as software-service --only DIS-FLD,TRN-ERB-02`,
      ...more,
    )
  const { code, stdout } = await run(...words`--dialect opendelivery-v2 --bundle dialect.tar`)
  expect(stdout).toMatch(/: \d+ passed(, \d+ (skipped|to attest))* in /)
  expect(code).toBe(0)
  expect((await certify('verify', 'dialect.tar')).code).toBe(0)
  // Without the dialect it speaks another protocol.
  const other = await run()
  expect(other.code).not.toBe(0)
})

test('[TRN-ERB-02] a service that speaks a dialect of its own is judged in its form, and its bundle holds the dialect', async () => {
  const file = fileURLToPath(
    new URL('../../../examples/dialects/three-letter-codes.yaml', import.meta.url),
  )
  await using service = await openSoftwareService(file)
  const url = service.urls.get('software-service') ?? ''
  const only = words`--as software-service --only TRN-ERB-02 --bundle own.tar`
  const { code, stdout } = await certify(url, ...only, '--dialect', file)
  expect(stdout).toMatch(/: \d+ passed(, \d+ (skipped|to attest))* in /)
  expect(code).toBe(0)
  expect((await certify('verify', 'own.tar')).code).toBe(0)
})

test('a role that V1 has not is refused', async () => {
  const { code, stderr } = await certify(verb.url, '--as', 'crm', '--dialect', 'v1', '--plan')
  expect(code).toBe(2)
  expect(stderr).toContain('V1 has no crm')
})
