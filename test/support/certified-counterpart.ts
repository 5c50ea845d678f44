/**
 * Certifies one of our own counterparts: a second session in this process plays it, on the clock of the first, with a
 * defect on the way where one is given.
 */
import type { Capability } from '../../src/protocol/operation.ts'
import { type Role, roles } from '../../src/protocol/role.ts'
import { attestations, procedures } from '../../src/certification/catalogue.ts'
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
async function fulfil(wish: Wish, session: Session): Promise<{ readonly why?: string }> {
  if (wish.kind === 'create-order') {
    const created = await session.createOrder({ type: wish.type })
    return created.ok ? {} : { why: created.error.message }
  }
  if (wish.kind === 'cancel-order') {
    const { orderId } = wish
    const done = await session.submit({ kind: 'order.apply', orderId, trigger: 'cancel' })
    return done.ok ? {} : { why: done.error.message }
  }
  if (wish.kind === 'begin-anew') {
    await session.reset()
    return {}
  }
  const done = wish.command && (await session.submit(wish.command))
  if (!done) return { why: `nobody is there who could do it: ${wish.instruction}` }
  return done.ok ? {} : { why: done.error.message }
}

/** Settings of the counterpart that is certified, so that more comes up: both channels, deliveries of its own. */
const counterpartSettings = {
  'ordering-application': {
    'ordering-application': { channel: 'both' },
    crm: { mode: 'hybrid' },
  },
  'software-service': { 'software-service': { deliveries: true } },
  'delivery-platform': {},
  crm: { crm: { mode: 'hybrid' } },
} as const satisfies Record<Role, SessionOptions['counterparts']>

/** It is known by an address of HTTPS, as a service that is deployed. */
const publicUrlOf = (role: Role): string => `https://${role}.test`

function ownSettings(role: Role): SessionOptions['counterparts'] {
  const settings: SessionOptions['counterparts'] = counterpartSettings[role]
  return { ...settings, [role]: { ...settings?.[role], publicUrl: publicUrlOf(role) } }
}

export interface CertifiedCounterpartOptions {
  readonly role: Role
  readonly checks: readonly Check[]
  readonly defect?: Defect | undefined
}

/** Certifies our counterpart of this role, in process and on the virtual clock. */
export async function certifyCounterpart({
  role,
  checks,
  defect,
}: CertifiedCounterpartOptions): Promise<Certification> {
  const others = roles.filter((each) => each !== role)
  const [partner = role, ...further] = others
  const service = (request: Request): Promise<Response> =>
    defect?.answer ? defect.answer(request, answering.fetch) : answering.fetch(request)
  const session = await prepareSession({
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
      plays: role,
      partner,
      others: further,
      counterparts: ownSettings(role),
      // Only so is a manifest required (DIS-GEN-02).
      conduct: { manifest: 'require' },
    },
    {
      clock: session.clock,
      fetch: (request) =>
        defect?.call ? defect.call(request, session.fetch) : session.fetch(request),
    },
  )
  try {
    await Promise.all([session.begin(), session.loadFaults()])
    const counterpart = await answering.session
    return await certifyInSession({
      session,
      role,
      capabilities,
      checks,
      procedures,
      attestations,
      data: CertificationData.parse({}),
      seed: 42,
      sleep: abortableSleep,
      signal: new AbortController().signal,
      ask: (wish) => fulfil(wish, counterpart),
    })
  } finally {
    const stopping = answering[Symbol.asyncDispose]()
    await session.advance(0)
    await stopping
    await session.close()
  }
}
