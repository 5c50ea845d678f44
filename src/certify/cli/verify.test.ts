// @module-tag slow
/** `sparring certify verify`, of bundles of others: whatever is in one, it verifies or says why it does not. */
import { readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runsFor } from '../../../test/support/soak.ts'
import { makeFifo } from '../../../test/support/special-files.ts'
import { type CertifyVerb, openCertifyVerb } from '../../../test/support/certify-verb.ts'
import { isUnknownRecord } from '../../core/protocol/unknown-record.ts'
import { type BundleContent, type BundleHead, packBundle, unpackBundle } from './pack-bundle.ts'

let verb: CertifyVerb
let certified: Awaited<ReturnType<CertifyVerb['certify']>>
let content: BundleContent
let head: BundleHead

beforeAll(async () => {
  verb = await openCertifyVerb()
  const selection = ['--only', 'ORD-OPS-05', '--setup', verb.setup, '--bundle', 'whole.tar']
  certified = await verb.certify(verb.url, ...selection)
  const unpacked = await unpackBundle(readFileSync(verb.at('whole.tar')))
  if (!unpacked.ok) throw new Error(unpacked.error)
  content = unpacked.value.content
  head = { ...unpacked.value.manifest, version: unpacked.value.manifest.product.version }
}, 60_000)
afterAll(() => verb.close())

/** Verifies a bundle with these files, packed with right hashes. */
async function verified(changed: BundleContent, otherHead: Partial<BundleHead> = {}) {
  writeFileSync(verb.at('changed.tar'), await packBundle(changed, { ...head, ...otherHead }))
  return verb.certify('verify', 'changed.tar')
}

const textOf = (name: string): string => Buffer.from(content.get(name) ?? '').toString('utf8')

const oddValues: readonly unknown[] = [
  null,
  '',
  'x',
  -1,
  1e308,
  [],
  {},
  '+275760-09-14T00:00:00.000Z',
  '__proto__',
]

/** The paths of all values, of lists only the first. */
function pathsIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  const inner = Array.isArray(value)
    ? value.slice(0, 1).map((each, index) => [String(index), each] as const)
    : isUnknownRecord(value)
      ? Object.entries(value).slice(0, 20)
      : []
  return [path, ...inner.flatMap(([key, each]) => pathsIn(each, [...path, key]))]
}

function withValueAt(value: unknown, [key, ...rest]: readonly string[], next: unknown): unknown {
  if (key === undefined) return next
  if (Array.isArray(value))
    return value.with(Number(key), withValueAt(value[Number(key)], rest, next))
  return {
    ...(value as object),
    [key]: withValueAt((value as Record<string, unknown>)[key], rest, next),
  }
}

/** Of hundreds of values each fourth is replaced, which meets every odd value; the soak replaces all. */
const share = runsFor(4, 1)

/** Verifies a bundle for each value of a JSON text that is replaced by an odd one; what was no refusal is returned. */
async function oddlyVerified(
  text: string,
  changedBy: (text: string) => BundleContent,
  each = share,
) {
  const whole: unknown = JSON.parse(text)
  const accepted: string[] = []
  for (const [index, path] of pathsIn(whole).entries()) {
    if (index % each !== 0) continue
    const odd = oddValues[index % oddValues.length]
    const next = withValueAt(whole, path, odd)
    if (JSON.stringify(next) === JSON.stringify(whole)) continue
    const { code } = await verified(changedBy(JSON.stringify(next)))
    if (code !== 1) accepted.push(`${path.join('.')} = ${JSON.stringify(odd)}`)
  }
  return accepted
}

test('the files of a bundle are listed when it has been written', () => {
  expect(certified.stderr).toContain(
    'bundle in whole.tar: manifest.json, report.json, trace.json, recording.ndjson.gz, report.html, report.md',
  )
  expect(certified.code).toBe(0)
})

test.each(['report.json', 'trace.json'])(
  'an odd value in %s does not verify',
  async (name) => {
    const changedBy = (text: string) => new Map(content).set(name, Buffer.from(text))
    expect(await oddlyVerified(textOf(name), changedBy)).toEqual([])
  },
  90_000,
)

test('an odd line of the recording does not verify, and an odd value in one is no bug', async () => {
  const lines = gunzipSync(content.get('recording.ndjson.gz') ?? '')
    .toString('utf8')
    .split('\n')
  const at = lines.findIndex((line) => line.includes('"type":"http"'))
  const changedBy = (nth: number) => (text: string) =>
    new Map(content).set('recording.ndjson.gz', gzipSync(lines.with(nth, text).join('\n')))
  for (const text of ['[]', '{"_rec":{}}', 'x']) {
    const { code, stdout } = await verified(changedBy(at)(text))
    expect(stdout).toContain('its recording.ndjson.gz cannot be read whole: line ')
    expect(code).toBe(1)
  }
  // Names in the header have no part in a verdict.
  expect(await oddlyVerified(lines[0] ?? '', changedBy(0), 1)).toEqual([
    '_rec.name = "__proto__"',
    '_rec.protocol.name = "x"',
    '_rec.parties.0.base = "__proto__"',
  ])
  await oddlyVerified(lines[at] ?? '', changedBy(at))
}, 90_000)

test('a recording that is emptied, cut off, or of another role or time does not verify, and it says which', async () => {
  const lines = gunzipSync(content.get('recording.ndjson.gz') ?? '')
    .toString('utf8')
    .trimEnd()
    .split('\n')
  const [header = ''] = lines
  const verifiedWith = async (changed: readonly string[]) => {
    const recording = gzipSync(`${changed.join('\n')}\n`)
    const { code, stdout } = await verified(new Map(content).set('recording.ndjson.gz', recording))
    expect(code).toBe(1)
    return stdout
  }
  expect(await verifiedWith([header, ...lines.slice(-1)])).toContain('its recording.ndjson.gz ')
  expect(await verifiedWith([header])).toContain(
    'its recording.ndjson.gz is empty: it has no exchange with the service',
  )
  expect(await verifiedWith(lines.slice(0, -1))).toContain(
    'its recording.ndjson.gz is cut off: its last line is missing',
  )
  const { role } = head
  const other = lines.map((line) => line.replaceAll(`"role":"${role}"`, '"role":"crm"'))
  expect(await verifiedWith(other)).toMatch(/recording\.ndjson\.gz .*(as crm|cannot be read)/)
  const { startedAt } = head
  const { stdout } = await verified(
    new Map(content).set(
      'report.json',
      Buffer.from(
        textOf('report.json').replace(
          new Date(startedAt).toISOString(),
          new Date(startedAt + 5000).toISOString(),
        ),
      ),
    ),
    { startedAt: startedAt + 5000 },
  )
  expect(stdout).toMatch(/its recording\.ndjson\.gz begins at .*, and the certification is said to/)
})

test.each([0, 1.5, 8 ** 11 * 1000, 8.64e15, 8.64e15 + 1])(
  'an instant in the manifest that is no possible one, or another, does not verify: %d',
  async (startedAt) => {
    const { code, stdout } = await verified(content, { startedAt })
    expect(stdout).toMatch(/its (?:report|manifest)\.json is /)
    expect(code).toBe(1)
  },
)

test('a bundle with further files does not verify, though its manifest names them', async () => {
  for (const name of ['invoice.html', 'contract/1/other.yaml', '../../.profile', 'report.html/x']) {
    const { code, stdout } = await verified(new Map(content).set(name, Buffer.from('x')))
    expect(stdout).toContain(`it has ${name}, which is no part of a certification`)
    expect(code).toBe(1)
  }
  expect(await verified(content)).toMatchObject({ code: 0 })
})

test('a bundle is read up to a bound, whatever it is or unpacks to', async () => {
  const problem = 'Name a file that --bundle has written.'
  makeFifo(verb.at('pipe.tar'))
  symlinkSync('/dev/zero', verb.at('zero.tar'))
  writeFileSync(verb.at('huge.tar'), '')
  truncateSync(verb.at('huge.tar'), 1024 ** 4)
  for (const [name, wrong] of [
    ['pipe.tar', 'it is no plain file'],
    ['zero.tar', 'it is no plain file'],
    ['huge.tar', 'it is larger than 256 MiB'],
  ] as const) {
    const { code, stderr } = await verb.certify('verify', name)
    expect(stderr).toContain(`reading the bundle ${name}: ${wrong}`)
    expect(stderr).toContain(problem)
    expect(code).toBe(2)
  }
  const lines = gzipSync(Buffer.alloc(70 * 1024 ** 2, 'a'))
  const { code, stdout } = await verified(new Map(content).set('recording.ndjson.gz', lines))
  expect(stdout).toContain('does not verify: ')
  expect(code).toBe(1)
})
