/**
 * Certifies one of our own counterparts: a second session in this process plays it, on the clock of the first, with a
 * defect on the way where one is given.
 */
import type { Capability } from '../../src/protocol/operation.ts'
import { type Role, roles } from '../../src/protocol/role.ts'
import { catalogueOf } from '../../src/certification/catalogue.ts'
import { CertificationData } from '../../src/certification/certification-data.ts'
import { type Certification, certifyInSession } from '../../src/certification/certify.ts'
import type { Check } from '../../src/certification/check.ts'
import type { Defect } from '../../src/certification/defect.ts'
import type { Wish } from '../../src/certification/procedure.ts'
import type { Session } from '../../src/session-api/session.ts'
import { abortableSleep } from '../../src/session/abortable-sleep.ts'
import type { SessionOptions } from '../../src/session/options.ts'
import { prepareSession } from '../../src/session/session.ts'
import { certificationCounterparts } from '../../src/certification/counterparts.ts'
import { fullOrder } from './full-order.ts'
import { startSessionService } from './session-service.ts'

const capabilities: readonly Capability[] = [
  'orders',
  'indoor',
  'logistics',
  'customer',
  'discovery',
  'auth',
]

/** What the counterpart is asked for, as its operator would do it. */
async function fulfil(
  wish: Wish,
  session: Session,
  speaks?: 'v1',
): Promise<{ readonly why?: string }> {
  if (wish.kind === 'create-order') {
    const { type, isFull, document } = wish
    const order = isFull ? fullOrder(type, session.clock.now()) : document
    const created = await session.createOrder(order ? { order } : { type })
    return created.ok ? {} : { why: created.error.message }
  }
  if (wish.kind === 'cancel-order') {
    const { orderId } = wish
    const done = await session.submit(
      speaks === 'v1'
        ? { kind: 'handshake.offer', orderId }
        : { kind: 'order.apply', orderId, trigger: 'cancel' },
    )
    return done.ok ? {} : { why: done.error.message }
  }
  if (wish.kind === 'begin-anew') {
    await session.reset()
    return {}
  }
  if (wish.kind === 'deny-cancellation') {
    const { orderId } = wish
    const done = await session.submit({ kind: 'cancellation.answer', orderId, answer: 'deny' })
    return done.ok ? {} : { why: done.error.message }
  }
  if (wish.kind === 'emit-events') {
    const { orderId, eventTypes } = wish
    for (const eventType of eventTypes) {
      const done = await session.submit({ kind: 'event.emit', orderId, eventType })
      if (!done.ok) return { why: done.error.message }
    }
    return {}
  }
  const done = wish.command && (await session.submit(wish.command))
  if (!done) return { why: `it has to be done by hand: ${wish.instruction}` }
  return done.ok ? {} : { why: done.error.message }
}

/** Settings of the counterpart that is certified, so that more comes up: both channels, deliveries of its own. */
const counterpartSettings = {
  'ordering-application': {
    'ordering-application': { channel: 'both' },
    crm: { mode: 'hybrid' },
  },
  'software-service': {
    'software-service': { deliveries: true },
    'ordering-application': { channel: 'both' },
  },
  'delivery-platform': {},
  crm: { crm: { mode: 'hybrid' } },
} as const satisfies Record<Role, SessionOptions['counterparts']>

/** It is known by an address of HTTPS, as a service that is deployed. */
const publicUrlOf = (role: Role): string => `https://${role}.test`

function ownSettings(role: Role, variant?: CounterpartVariant): SessionOptions['counterparts'] {
  const settings: SessionOptions['counterparts'] = counterpartSettings[role]
  const own = { ...settings?.[role], ...variant?.counterparts?.[role] }
  return { ...settings, [role]: { ...own, publicUrl: publicUrlOf(role) } }
}

/** How a counterpart behaves where the documents leave a choice. */
export type CounterpartVariant = Pick<SessionOptions, 'counterparts' | 'conduct'>

export interface CertifiedCounterpartOptions {
  readonly role: Role
  readonly checks: readonly Check[]
  readonly defect?: Defect | undefined
  readonly variant?: CounterpartVariant
  /** The generation of the protocol of both sides; V2 when absent. */
  readonly speaks?: 'v1' | undefined
  /** Does what its operator would do before; returns the ids that are given for --data. */
  readonly prepare?: (counterpart: Session) => Promise<Partial<CertificationData>>
}

/** Certifies our counterpart of this role, in process and on the virtual clock. */
export async function certifyCounterpart({
  role,
  checks,
  defect,
  variant,
  speaks,
  prepare,
}: CertifiedCounterpartOptions): Promise<Certification> {
  const active = defect?.start?.() ?? defect
  const others = roles.filter((each) => each !== role)
  const [partner = role, ...further] = others
  const service = (request: Request): Promise<Response> =>
    active?.answer ? active.answer(request, answering.fetch) : answering.fetch(request)
  const dialect = speaks === undefined ? {} : ({ dialect: speaks } as const)
  const session = await prepareSession({
    ...dialect,
    clock: 'virtual',
    listen: false,
    automatic: false,
    live: true,
    subject: { role, url: publicUrlOf(role) },
    handler: service,
    counterparts: certificationCounterparts(role),
  })
  const answering = startSessionService(
    {
      ...dialect,
      plays: role,
      partner,
      others: further,
      counterparts: ownSettings(role, variant),
      // Only so is a manifest required (DIS-GEN-02).
      ...(speaks === 'v1' ? {} : { conduct: { manifest: 'require', ...variant?.conduct } }),
    },
    {
      clock: session.clock,
      fetch: (request) =>
        active?.call ? active.call(request, session.fetch) : session.fetch(request),
    },
  )
  try {
    await Promise.all([session.begin(), session.loadFaults()])
    const counterpart = await answering.session
    const data = await prepare?.(counterpart)
    return await certifyInSession({
      session,
      role,
      capabilities,
      checks,
      procedures: catalogueOf(speaks).procedures,
      unchecked: [],
      data: CertificationData.parse(data ?? {}),
      seed: 42,
      sleep: abortableSleep,
      signal: new AbortController().signal,
      ask: (wish) => fulfil(wish, counterpart, speaks),
    })
  } finally {
    const stopping = answering[Symbol.asyncDispose]()
    await session.advance(0)
    await stopping
    await session.close()
  }
}
