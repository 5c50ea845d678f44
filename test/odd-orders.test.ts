// @module-tag slow
/**
 * Every sample of an order: the correct service takes it on either channel, and what was recorded of it comes out of
 * redaction, HAR, replay and diff as it went in.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type SampleName,
  sampleNamed,
  sampleNames,
} from '../src/core/partners/seed-data/samples.ts'
import type { RecordingContent } from '../src/core/traffic/recording/content.ts'
import { compareRecordings } from '../src/replay/difference/compare-recordings.ts'
import { compareExchanges } from '../src/replay/difference/compare-exchanges.ts'
import { createRuleBook } from '../src/replay/difference/protocol-rules.ts'
import { harFormat } from '../src/replay/formats/har.ts'
import { differingStandings } from '../src/replay/minimise/failure-signature.ts'
import { type RecordedHarness, recordHarness } from './support/recorded-session.ts'
import { redriveInProcess } from './support/redrive-harness.ts'
import { exportText, importText, testRedactor } from './support/round-trip.ts'

const book = createRuleBook()

type Options = Parameters<typeof recordHarness>[0]

const record = (name: SampleName, options: Options = {}): Promise<RecordedHarness> =>
  recordHarness({ delivers: true, ...options }, async ({ session, pass }) => {
    const made = await session.createOrder({ sample: name })
    if (!made.ok) throw new Error(made.error.message)
    await pass(90_000)
  })

/** The order as the partner showed it first. */
const orderIn = ({ exchanges }: RecordingContent): string =>
  exchanges.find(({ operation, reply }) => operation === 'getOrder' && reply?.status === 200)?.reply
    ?.body ?? ''

/** The numbers of a JSON text as they are written, but for the coordinates of a customer, which are rounded. */
const numbersIn = (json: string): readonly string[] =>
  [
    ...json
      .replaceAll(/"l(?:at|ong)itude":[-\d.]+/g, '')
      .matchAll(/"(?:[^"\\]|\\.)*"|(-?\d[\d.eE+-]*)/g),
  ].flatMap(([, number]) => number ?? [])

const conformant = sampleNames.filter((name) => sampleNamed(name).outside === undefined)

describe.each(conformant)('[ORD-UND-01] %s', (name) => {
  let plain: RecordedHarness
  beforeAll(async () => {
    plain = await record(name)
  })

  test('breaks no rule with the correct service, by polling, by webhook and in V1', async () => {
    expect(plain.failedRules).toEqual([])
    expect(plain.text).toContain('CONCLUDED')
    for (const options of [{ channel: 'webhook' }, { speaks: 'v1', delivers: false }] as const)
      expect((await record(name, options)).failedRules).toEqual([])
  })

  test('is recorded and read as it went over the wire, and comes back from HAR', () => {
    expect(orderIn(plain.content)).not.toBe('')
    const { recording } = importText(harFormat, exportText(harFormat, plain.text))
    const again = importText(harFormat, exportText(harFormat, recording))
    expect(bodiesOf(again.recording)).toEqual(bodiesOf(plain.text))
  })

  test('keeps its numbers and the shape of its texts when it is redacted', async () => {
    const redacted = await record(name, { redactor: testRedactor() })
    const [before, after] = [orderIn(plain.content), orderIn(redacted.content)]
    expect(numbersIn(after)).toEqual(numbersIn(before))
    const namesOf = (json: string): unknown =>
      (JSON.parse(json) as { items: { name: string }[] }).items.map((item) => item.name)
    expect(namesOf(after)).toEqual(namesOf(before))
  })

  test('replays without a difference, and another run of it differs in nothing', async () => {
    const { exchanges } = await redriveInProcess(plain.content, {
      delivers: true,
      timing: 'original',
    })
    expect(exchanges.filter(({ standing }) => differingStandings.has(standing))).toEqual([])
    const { content } = await record(name)
    const compared = compareRecordings(plain.content, content, book)
    expect(compared.exchanges.filter(({ standing }) => differingStandings.has(standing))).toEqual(
      [],
    )
  })
})

/** The bodies of a recording as a file has it. */
const bodiesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
    .filter(({ request }) => request)
    .map(({ request, response }) => [request?.postData?.text, response?.content?.text])

interface Line {
  readonly request?: { readonly postData?: { readonly text?: string } }
  readonly response?: { readonly content?: { readonly text?: string } }
}

test.each(sampleNames.filter((name) => !conformant.includes(name)))(
  '[ORD-UND-01] what %s shows is advice',
  async (name) => {
    expect((await record(name)).failedRules).toEqual([])
  },
)

test('both forms of an accent are two texts for diff', async () => {
  const [composed, combining] = [
    await record('accents-composed'),
    await record('accents-combining'),
  ]
  const [one, other] = [composed, combining].map(({ content }) =>
    content.exchanges.find(({ operation }) => operation === 'getOrder'),
  )
  if (!one || !other) throw new Error('no order was read')
  const places = compareExchanges(one, other, book).map(({ where }) => where)
  expect(places).toContain('/body/items/0/name')
})
