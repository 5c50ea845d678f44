// @module-tag slow
/**
 * `sparring certify --contract`: what differs from a document in the report and all its forms, and in a bundle that
 * verifies.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CertifyVerb, openCertifyVerb } from '../../../test/support/certify-verb.ts'
import type { CertificationReport } from '../report/report.ts'
import { defaultConfiguration } from '../../core/session-api/configuration/defaults.ts'
import { ContractJudge } from '../../core/rules/contract/contract-judge.ts'
import { readContract } from '../../core/runtime/files/contract-files.ts'
import { readRecording } from '../../core/runtime/recording/read-recording.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import { certify } from '../session/certify.ts'
import { openApiOfRole } from '../../core/session/openapi.ts'
import { packBundle, unpackBundle } from './pack-bundle.ts'
import { words } from '../../../test/support/shell-words.ts'

let verb: CertifyVerb

beforeAll(async () => {
  verb = await openCertifyVerb()
})
afterAll(() => verb.close())

const ownDocument = (): string =>
  JSON.stringify(openApiOfRole('ordering-application', defaultConfiguration()), null, 2)

/** Whole orders are read, with customers, documents, phones, addresses and codes. */
const certifyOrders = (...args: readonly string[]) =>
  verb.certify(verb.url, '--only', 'ORD-OPS-04,ORD-OPS-05', '--setup', verb.setup, ...args)

const reportIn = (name: string): CertificationReport =>
  JSON.parse(readFileSync(verb.at(name), 'utf8')) as CertificationReport

const contractResult = ({ results }: CertificationReport) => results.at(-1)

async function repacked(from: string, to: string, change: (text: string) => string, file: string) {
  const unpacked = await unpackBundle(readFileSync(verb.at(from)))
  if (!unpacked.ok) throw new Error(unpacked.error)
  const { manifest, content } = unpacked.value
  const text = Buffer.from(content.get(file) ?? '').toString('utf8')
  expect(change(text)).not.toBe(text)
  const edited = new Map(content).set(file, Buffer.from(change(text)))
  const head = { ...manifest, version: manifest.product.version }
  writeFileSync(verb.at(to), await packBundle(edited, head))
  return verb.certify('verify', to)
}

/** How many differences the recording of a bundle has when its values are taken for the original ones. */
async function plainDifferences(bundle: string): Promise<number> {
  const unpacked = await unpackBundle(readFileSync(verb.at(bundle)))
  const file = verb.at('recording.ndjson.gz')
  writeFileSync(file, (unpacked.ok && unpacked.value.content.get('recording.ndjson.gz')) || '')
  const recording = await readRecording(file)
  if (!recording.ok) throw new Error(recording.error)
  const judge = new ContractJudge({
    contracts: [await readContract({ file: verb.at('openapi.json') })],
    onBug(error) {
      throw error
    },
  })
  for (const { redactions: _redactions, ...exchange } of recording.value.exchanges)
    judge.exchange(exchange, { began: exchange.startedAt })
  return judge.differences().filter(({ isAdvice }) => !isAdvice).length
}

/** Our own document, which says of values that are redacted what only the original ones are. */
function documentOfOriginals(): string {
  const document = JSON.parse(ownDocument(), (key, value: unknown) =>
    isUnknownRecord(value) && value['type'] === 'string'
      ? ['name', 'street', 'pickupCode', 'observations', 'extraInfo', 'documentNumber'].includes(
          key,
        )
        ? { ...value, not: { pattern: '^(?:~|Pessoa )' }, pattern: '^(?!~|Pessoa )' }
        : key === 'birthDate'
          ? { ...value, pattern: '^(?:19[3-9]|20)' }
          : value
      : value,
  ) as unknown
  return JSON.stringify(document)
}

test('no value that was redacted differs from the contract, and the bundle verifies', async () => {
  writeFileSync(verb.at('openapi.json'), documentOfOriginals())
  const { code } = await certifyOrders(
    ...words`--contract openapi.json --bundle own.tar --reporter json=own.json`,
  )
  expect(code).toBe(0)
  const report = reportIn('own.json')
  expect(report.contracts).toMatchObject([
    { role: 'ordering-application', files: [{ sha256: expect.stringMatching(/^[\da-f]{64}$/) }] },
  ])
  expect(contractResult(report)).toMatchObject({
    clause: 'CONTRACT',
    outcome: 'passed',
    problems: [],
  })
  expect(contractResult(report)?.occasions).toBeGreaterThan(20)
  // Without knowing what was redacted they would differ.
  expect(await plainDifferences('own.tar')).toBeGreaterThan(3)
  const verified = await verb.certify('verify', 'own.tar')
  expect(verified.stdout).toContain('its verdicts follow from its recording')
  expect(verified.code).toBe(0)
}, 60_000)

const forms = ['html', 'json', 'markdown', 'junit', 'sarif', 'github']

test('each difference is in every form of the report, with its exchanges and what the clauses say', async () => {
  mkdirSync(verb.at('api'))
  mkdirSync(verb.at('parts'))
  const withReference = JSON.parse(ownDocument(), (key, value: unknown) =>
    key === 'displayId' && isUnknownRecord(value) && 'type' in value
      ? { $ref: '../parts/display.yaml#/Id' }
      : value,
  ) as unknown
  writeFileSync(verb.at('api/openapi.json'), JSON.stringify(withReference))
  writeFileSync(verb.at('parts/display.yaml'), 'Id:\n  type: integer\n')
  const { code, stdout, stderr } = await certifyOrders(
    '--contract',
    'api/openapi.json=oa',
    '--bundle',
    'other.tar',
    ...['pretty', ...forms.map((each) => `${each}=other.${each}`)].flatMap((each) => [
      '--reporter',
      each,
    ]),
  )
  expect({ code, stderr }).toMatchObject({ code: 1 })
  const report = reportIn('other.json')
  expect(report.counts).toMatchObject({ passed: 2, failed: 1 })
  const [problem] = contractResult(report)?.problems ?? []
  expect(problem?.text).toMatch(
    /^Your answer 200 of getOrder differs from \S*openapi\.json: body \/displayId expected a whole number, received "\S+" \(\S*parts\/display\.yaml:2 #\/Id\/type\)\. Contract and protocol disagree: the clauses of getOrder \(ORD-OPS-04\) allow this body\.$/,
  )
  expect(problem?.exchanges.length).toBeGreaterThan(0)
  expect(problem?.clauses).toContainEqual({ clause: 'ORD-OPS-04', outcome: 'passed' })
  const written = forms
    .filter((each) => each !== 'json')
    .map((each) =>
      readFileSync(verb.at(`other.${each}`), 'utf8')
        .replaceAll('&#39;', "'")
        .replaceAll('&quot;', '"'),
    )
  // Every file that the bundle has taken in is listed.
  expect(stderr).toContain('contract/1/api/openapi.json, contract/1/parts/display.yaml')
  for (const form of ['other.markdown', 'other.html', 'other.json'])
    for (const file of ['api/openapi.json', 'parts/display.yaml'])
      expect(readFileSync(verb.at(form), 'utf8')).toContain(file)
  for (const form of [stdout, ...written]) {
    expect(form).toContain('CONTRACT')
    expect(form).toContain('body /displayId expected a whole number')
    expect(form).toContain('ORD-OPS-04 passed')
    expect(form).toMatch(new RegExp(`#${problem?.exchanges[0]} SS (?:>|&gt;) OA GET /orders/`))
  }
  expect((await verb.certify('verify', 'other.tar')).stdout).toMatch(/: not certified, /)
}, 60_000)

test('a changed document does not verify, whatever the manifest says', async () => {
  const archive = readFileSync(verb.at('other.tar'))
  const at = archive.indexOf('type: integer')
  expect(at).toBeGreaterThan(0)
  const changed = Uint8Array.from(archive)
  changed[at] = (changed[at] ?? 0) ^ 1
  writeFileSync(verb.at('byte.tar'), changed)
  expect(await verb.certify('verify', 'byte.tar')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('contract/1/parts/display.yaml was changed') as string,
  })
  const document = 'contract/1/parts/display.yaml'
  const comment = await repacked('other.tar', 'comment.tar', (text) => `${text}#\n`, document)
  expect(comment.stdout).toContain('its contracts are not those that report.json names')
  const invalid = await repacked(
    'other.tar',
    'invalid.tar',
    () => 'Id: { type: strnig }\n',
    document,
  )
  expect(invalid.stdout).toMatch(/does not verify: reading \S*display\.yaml:1/)
  const hidden = await repacked(
    'other.tar',
    'hidden.tar',
    (text) => text.replace(/,\s*"contracts": \[[^]*?\}\s*\]\s*\}\s*\]/, ''),
    'trace.json',
  )
  expect(hidden.stdout).toContain('its contracts are not those that report.json names')
  for (const { code } of [comment, invalid, hidden]) expect(code).toBe(1)
})

test('--plan names the contracts, and a document that is none is refused before anything is called', async () => {
  writeFileSync(verb.at('own.json'), ownDocument())
  const planned = await certifyOrders('--contract', 'own.json', '--plan')
  expect(planned.stdout).toMatch(/compares the exchanges with \S*own\.json: Ordering Application/)
  const json = await certifyOrders('--contract', 'own.json', '--plan', '--json')
  expect(JSON.parse(json.stdout)).toMatchObject({ contracts: [{ role: 'ordering-application' }] })
  writeFileSync(verb.at('none.yaml'), 'openapi: 4.0.0\n')
  const refused = await certifyOrders('--contract', 'none.yaml')
  expect(refused.stderr).toMatch(/none\.yaml:1: its version is "4\.0\.0"/)
  expect(refused.code).toBe(2)
})

test('without an exchange of the host that it describes it is skipped, and nothing fails', async () => {
  writeFileSync(verb.at('crm.json'), JSON.stringify(openApiOfRole('crm', defaultConfiguration())))
  const { code } = await verb.certify(
    verb.url,
    ...words`--only AUT-TEN-02 --contract crm.json=crm --reporter json=crm-report.json`,
  )
  expect(contractResult(reportIn('crm-report.json'))).toMatchObject({
    outcome: 'skipped',
    occasions: 0,
    why: expect.stringContaining('no call was made') as string,
  })
  expect(code).toBe(0)
}, 60_000)

test('the library compares with the same documents', async () => {
  writeFileSync(verb.at('library.json'), ownDocument().replaceAll('"authentication"', '"renamed"'))
  const { results, contracts, counts } = await certify({
    as: 'ordering-application',
    subject: {
      url: verb.url,
      credentials: {
        clientId: 'sparring-ordering-application',
        clientSecret: 'secret-of-ordering-application',
      },
    },
    port: 0,
    contract: { file: verb.at('library.json'), role: 'ordering-application' },
    request: { clauses: ['ORD-OPS-06'] },
  })
  expect(contracts).toMatchObject([{ role: 'ordering-application' }])
  expect(counts.failed).toBe(1)
  expect(results.at(-1)).toMatchObject({ clause: 'CONTRACT', outcome: 'failed' })
  expect(results.at(-1)?.problems[0]?.text).toMatch(
    /^Your answer 200 of getManifest differs .* body \/renamed is missing, .* the clauses of getManifest \(DIS-.*\) allow this body\.$/,
  )
}, 60_000)
