// @module-tag slow
/**
 * Every sample of an order: the correct service takes it on either channel, and what was recorded of it comes out of
 * redaction, HAR, replay and diff as it went in.
 */
import { beforeAll, expect, test } from 'vitest'
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

interface RecordedSamples extends RecordedHarness {
  readonly orderIds: ReadonlyMap<SampleName, string>
}

/** One session in which every sample is ordered, one each second. */
async function record(
  names: readonly SampleName[],
  options: Options = {},
): Promise<RecordedSamples> {
  const orderIds = new Map<SampleName, string>()
  const recorded = await recordHarness(
    { delivers: true, ...options },
    async ({ session, pass }) => {
      for (const name of names) {
        const made = await session.createOrder({ sample: name })
        if (!made.ok) throw new Error(made.error.message)
        orderIds.set(name, made.value.orderId)
        await pass(1000)
      }
      await pass(90_000)
    },
  )
  return { ...recorded, orderIds }
}

/** The exchanges of a sample's order. */
const exchangesOf = (
  { content, orderIds }: RecordedSamples,
  name: SampleName,
): RecordingContent['exchanges'] => {
  const own = orderIds.get(name)
  return content.exchanges.filter(({ orderId }) => orderId === own)
}

/** The order as the partner showed it first. */
const orderIn = (recorded: RecordedSamples, name: SampleName): string =>
  exchangesOf(recorded, name).find(
    ({ operation, reply }) => operation === 'getOrder' && reply?.status === 200,
  )?.reply?.body ?? ''

/** The numbers of a JSON text as they are written, but for the coordinates of a customer, which are rounded. */
const numbersIn = (json: string): readonly string[] =>
  [
    ...json
      .replaceAll(/"l(?:at|ong)itude":[-\d.]+/g, '')
      .matchAll(/"(?:[^"\\]|\\.)*"|(-?\d[\d.eE+-]*)/g),
  ].flatMap(([, number]) => number ?? [])

const conformant = sampleNames.filter((name) => sampleNamed(name).outside === undefined)

let plain: RecordedSamples
beforeAll(async () => {
  plain = await record(conformant)
})

test.each([
  ['polling', undefined],
  ['webhook', { channel: 'webhook' }],
  ['V1', { speaks: 'v1', delivers: false }],
] as const)(
  '[ORD-UND-01] by %s the correct service breaks no rule, and each order comes to its end',
  async (_, options) => {
    const recorded = options ? await record(conformant, options) : plain
    expect(recorded.failedRules).toEqual([])
    const texts = recorded.content.exchanges
      .map(({ request, reply }) => `${request.body} ${reply?.body}`)
      .filter((text) => text.includes('"CONCLUDED"'))
    const concluded = conformant.filter((name) => {
      const orderId = recorded.orderIds.get(name) ?? ''
      const ends = new RegExp(`"CONCLUDED"[^}]*"${orderId}"|"${orderId}"[^}]*"CONCLUDED"`)
      return texts.some((text) => ends.test(text))
    })
    expect(concluded).toEqual(conformant)
  },
)

test('[ORD-UND-01] they are recorded as they went over the wire, and come back from HAR', () => {
  const { recording } = importText(harFormat, exportText(harFormat, plain.text))
  const again = importText(harFormat, exportText(harFormat, recording))
  expect(bodiesOf(again.recording)).toEqual(bodiesOf(plain.text))
})

test('[ORD-UND-01] they keep their numbers and the shape of their texts when they are redacted', async () => {
  const redacted = await record(conformant, { redactor: testRedactor() })
  for (const name of conformant) {
    const [before, after] = [orderIn(plain, name), orderIn(redacted, name)]
    expect(before).not.toBe('')
    expect([name, numbersIn(after)]).toEqual([name, numbersIn(before)])
    const namesOf = (json: string): unknown =>
      (JSON.parse(json) as { items: { name: string }[] }).items.map((item) => item.name)
    expect(namesOf(after)).toEqual(namesOf(before))
  }
})

test('[ORD-UND-01] they replay without a difference, and another run of them differs in nothing', async () => {
  const { exchanges } = await redriveInProcess(plain.content, {
    delivers: true,
    timing: 'original',
  })
  expect(exchanges.filter(({ standing }) => differingStandings.has(standing))).toEqual([])
  const { content } = await record(conformant)
  const compared = compareRecordings(plain.content, content, book)
  expect(compared.exchanges.filter(({ standing }) => differingStandings.has(standing))).toEqual([])
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
    expect((await record([name])).failedRules).toEqual([])
  },
)

test('both forms of an accent are two texts for diff', () => {
  const [one, other] = (['accents-composed', 'accents-combining'] as const).map((name) =>
    exchangesOf(plain, name).find(({ operation }) => operation === 'getOrder'),
  )
  if (!one || !other) throw new Error('no order was read')
  const places = compareExchanges(one, other, book).map(({ where }) => where)
  expect(places).toContain('/body/items/0/name')
})
