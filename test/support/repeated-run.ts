/**
 * The same hand-written orders run with different seeds and ids. Two recordings of it are equivalent; any reported
 * difference is a false alarm.
 */
import { createRecorder } from '../../src/core/runtime/recording/recorder.ts'
import { createChance } from '../../src/core/engine/chance.ts'
import type { OrderType } from '../../src/core/protocol/orders/order.ts'
import type { RecordedExchange } from '../../src/core/traffic/recording/recorded-exchange.ts'
import { type InProcessHarness, type HarnessOptions, openHarness } from './in-process-harness.ts'
import { plainOrder } from './plain-order.ts'
import { recordSession } from './recorded-session.ts'
import { sampleInfo } from './sample-exchange.ts'

export interface RepeatedRunOptions extends Omit<HarnessOptions, 'seed'> {
  readonly types?: readonly OrderType[]
  /** An additional action once the orders are created. */
  readonly also?: (harness: InProcessHarness, orderIds: readonly string[]) => Promise<unknown>
}

/** Generated ids, different for each seed. */
function namesOf(seed: number): () => string {
  const chance = createChance(seed, 'names')
  return () => chance.uuid()
}

/** Runs it; returns the text of the recording. */
export async function recordRepeatedRun(
  seed: number,
  { types = ['DELIVERY', 'TAKEOUT', 'DELIVERY'], also, ...options }: RepeatedRunOptions = {},
): Promise<readonly RecordedExchange[]> {
  await using harness = await openHarness({ ...options, seed })
  const recording = recordSession(harness.session)
  const fresh = namesOf(seed)
  // The service only accepts orders of merchants that it knows.
  await harness.pass(500)
  const listed = recording
    .content()
    .exchanges.find(({ operation }) => operation === 'listMerchants')
  const { merchants } = JSON.parse(listed?.reply?.body ?? '') as {
    readonly merchants: readonly { readonly id: string; readonly name: string }[]
  }
  const { id = '', name = '' } = merchants[0] ?? {}
  const orderIds: string[] = []
  for (const type of types) {
    const plain = plainOrder(fresh(), type)
    const order = {
      ...plain,
      merchant: { id, name },
      customer: { ...plain.customer, id: fresh() },
      items: plain.items.map((item) => ({ ...item, id: fresh(), externalCode: item.id })),
    }
    const made = await harness.session.createOrder({ order })
    if (!made.ok) throw new Error(made.error.message)
    orderIds.push(made.value.orderId)
    await harness.pass(2000)
  }
  await also?.(harness, orderIds)
  await harness.pass(120_000)
  return recording.content().exchanges
}

/** Writes the recording to a file, as a session would. */
export async function writeRepeatedRun(
  file: string,
  exchanges: readonly RecordedExchange[],
): Promise<void> {
  const recorder = createRecorder({
    file,
    t0: Math.floor(Math.min(...exchanges.map(({ startedAt }) => startedAt))),
    info: { ...sampleInfo, name: 'evening' },
    redact: false,
    unsafe: true,
  })
  if (!recorder.ok) throw new Error(recorder.error)
  for (const exchange of exchanges) recorder.value.record(exchange)
  await recorder.value.close()
}
