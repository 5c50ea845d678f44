/** `sparring demo`: a session, and the demo service beside it in the same process. */
import { compact } from '../../core/base/compact.ts'
import type { DemoServiceOptions } from '../../demo/listen.ts'
import type { Credentials } from '../../demo/token-cache.ts'
import { problem } from '../../core/base/problem.ts'
import type { PreparedSession } from '../../core/session/types.ts'
import { type ExitCode, exitCode } from '../../terminal/cli/exit-code.ts'
import type { Interruption, Io } from '../../terminal/cli/io.ts'
import type { ResolvedSessionOptions } from '../../terminal/cli/session-options.ts'
import { runUp, type SessionCompanion } from '../up/run-up.ts'
import type { UpOptions } from '../up/up-flags.ts'
import type { DemoOptions } from './demo-flags.ts'
import { defectsOf, demoServiceOptions, listenForDemo, partnerCredentials } from './demo-service.ts'
import { exposures } from './exposures.ts'

const defaultOrderInterval = '3s'

/** Quick enough for a demonstration, and no faster than a partner lets it poll. */
const demoPace = { poll: 600, think: 150 }

/** Session time between two orders of `--orders`, and after the last order is over: what comes late is still judged. */
const orderPauseMs = 1000
const lateMs = 3000
/** An order that is not over by then is stuck. */
const maxOrderMs = 120_000
const lookMs = 100

/** Then the service has no more to do. */
const overStatuses = new Set(['DELIVERED', 'CONCLUDED', 'CANCELLED'])

/** The partner of each role of the service, and who asks for deliveries: the service does, where it can. */
const partnersOf = (
  { urls }: PreparedSession,
  as: DemoServiceOptions['as'],
): Pick<DemoServiceOptions, 'partner' | 'platform'> => ({
  partner: urls.get(as === 'software-service' ? 'ordering-application' : 'software-service') ?? '',
  platform: urls.get('delivery-platform'),
})

/** The kitchen tickets of the demo. */
const path = '/probe/orders/{orderId}/effects'
const effects = { tickets: { path, mayRepeat: false, evenIfCancelled: false } }

/**
 * The Ordering Application does not ask for the same deliveries as the service, whose kitchen tickets are counted.
 */
function besideDemo(resolved: ResolvedSessionOptions): ResolvedSessionOptions {
  const { input, configuration } = resolved
  const role = 'ordering-application'
  const requested = input.counterparts?.[role]
  const deliveries = requested?.deliveries ?? false
  return {
    ...resolved,
    input: {
      ...input,
      subject: { effects, ...input.subject },
      counterparts: { ...input.counterparts, [role]: { ...requested, deliveries } },
    },
    configuration: {
      ...configuration,
      subject: { effects, ...configuration.subject },
      counterparts: {
        ...configuration.counterparts,
        [role]: { ...configuration.counterparts[role], deliveries },
      },
    },
  }
}

/** The service would look for a manifest that no such partner has, for ever. */
function requireProtocolOfDocuments({ configuration }: ResolvedSessionOptions): void {
  const { conduct, protocol, dialect } = configuration
  if (conduct.speaks === 'v2' && protocol.name === 'protocol') return
  throw problem(
    'starting the demo',
    `its service speaks V2 as the documents have it, and ${dialect === undefined ? 'this configuration' : 'this dialect'} does not`,
    'Leave it out, or try your own service with sparring up.',
  )
}

/** Whether an order that the service confirmed has no kitchen ticket yet. */
const lacksTicket = async (session: PreparedSession): Promise<boolean> =>
  (await session.judge()).some(({ id, outcome }) => id === 'EF-2' && outcome === 'open')

/** Makes the orders, and resolves when they are over, or stuck, and what comes late has come. */
async function playOrders(
  session: PreparedSession,
  count: number,
  signal: AbortSignal,
): Promise<void> {
  const { sleep } = session.clock
  for (let made = 0; made < count && !signal.aborted; made++) {
    await session.createOrder({ type: made % 2 === 0 ? 'DELIVERY' : 'TAKEOUT' })
    await sleep(orderPauseMs, signal)
  }
  for (let waitedMs = 0; waitedMs < maxOrderMs && !signal.aborted; waitedMs += lookMs) {
    const { orders } = await session.look({ orders: { limit: count } })
    if (orders.length >= count && orders.every(({ status }) => overStatuses.has(status))) break
    await sleep(lookMs, signal)
  }
  await sleep(lateMs, signal)
  if (!(await lacksTicket(session))) return
  // A ticket that is missing has time, which begins with the end of the faults.
  await session.submit({ kind: 'fault.end' })
  await sleep(maxOrderMs + 10 * lateMs, signal)
  await session.judge()
}

/** The streams and signals of a session that ends by itself: without a dashboard, and stopped by `end`. */
function endingIo(io: Io): { readonly io: Io; readonly end: () => void } {
  const listeners = new Set<(why: Interruption) => void>()
  return {
    io: {
      ...io,
      isTTY: false,
      onInterrupt(listener) {
        listeners.add(listener)
        const off = io.onInterrupt(listener)
        return () => {
          listeners.delete(listener)
          off()
        }
      },
    },
    end: () => listeners.forEach((listener) => listener('SIGTERM')),
  }
}

/** The options of `sparring up` for the session beside the service. */
function upOptionsOf(
  options: DemoOptions,
  { as, channel, defects }: Pick<DemoServiceOptions, 'as' | 'channel' | 'defects'>,
  subject: string,
): UpOptions {
  const isEndless = options.orders === undefined && as === 'software-service'
  return {
    ...options,
    role: [],
    as,
    subject,
    channel,
    fault: options.fault ?? defects.flatMap((name) => exposures[name]?.faults ?? []),
    ...compact({
      'orders-every': options['orders-every'] ?? (isEndless ? defaultOrderInterval : undefined),
    }),
  }
}

/** The channel that is asked for, else the one by which the defects show; and the pace of the demonstration. */
function withDefaults(options: DemoOptions): DemoOptions {
  const [exposed] = defectsOf(options).flatMap((name) => exposures[name]?.channel ?? [])
  return { ...demoPace, ...options, channel: options.channel ?? exposed ?? 'polling' }
}

export async function runDemo(requested: DemoOptions, terminal: Io): Promise<ExitCode> {
  if (requested.subject !== undefined)
    throw problem(
      'starting the demo',
      '--subject names a service, and the demo has its own',
      'Leave it out, or try your own service with sparring up.',
    )
  const options = withDefaults(requested)
  // The log and the dashboard show what fails.
  const settings = demoServiceOptions(options, () => undefined)
  const service = await listenForDemo(options['service-port'] ?? 0)
  // A marketplace places its orders itself, and has no operator who counts them.
  const count = settings.as === 'software-service' ? options.orders : undefined
  const { io, end } =
    count === undefined ? { io: terminal, end: () => undefined } : endingIo(terminal)
  let failed = false
  let clients: readonly Credentials[] = []
  const companion: SessionCompanion = {
    adapt(resolved) {
      requireProtocolOfDocuments(resolved)
      clients = partnerCredentials(resolved.configuration)
      return besideDemo(resolved)
    },
    start(session) {
      const stopped = new AbortController()
      service.start({ ...settings, clients, ...partnersOf(session, settings.as) })
      const played =
        count === undefined
          ? Promise.resolve()
          : playOrders(session, count, stopped.signal).then(end)
      return {
        async [Symbol.asyncDispose]() {
          stopped.abort()
          await played
          failed = session.verdicts().length > 0
          await service.stop()
        },
      }
    },
  }
  const code = await runUp(upOptionsOf(options, settings, service.url), io, companion)
  return failed && count !== undefined ? exitCode.failed : code
}
