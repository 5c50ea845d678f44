/**
 * A session in which we play the Software Service against a scripted Ordering Application, in process and on virtual
 * time. Tests push webhooks as that application would.
 */
import type { OperationId } from '../../src/core/protocol/catalogue.ts'
import { ordersOnly } from './orders-only.ts'
import {
  createOriginator,
  type Originator,
  type OriginatorOptions,
} from './scripted-ordering-application.ts'
import type { HostAnswer, HostRequest } from './host-client.ts'
import { type HostSession, type HostSessionOptions, openHostSession } from './host-session.ts'

export interface SoftwareServiceSession extends Omit<HostSession, 'push'> {
  readonly originator: Originator
  /** Sends an event to the webhook of the Software Service, with token and signature. */
  readonly push: (event: unknown, push?: HostRequest) => Promise<HostAnswer>
  /** Start of each call of an operation, in ms since the start of the session. */
  readonly times: (operation: OperationId) => readonly number[]
}

export interface SoftwareServiceSessionOptions extends HostSessionOptions {
  readonly originator?: OriginatorOptions | Originator
}

export async function openSoftwareServiceSession(
  options: SoftwareServiceSessionOptions = {},
): Promise<SoftwareServiceSession> {
  const { originator: given = {}, counterparts, ...others } = options
  const originator = 'fetch' in given ? given : createOriginator(given)
  const host = await openHostSession('software-service', {
    listen: false,
    handler: originator.fetch,
    capabilities: ordersOnly,
    ...others,
    subject: { role: 'ordering-application', ...others.subject },
    counterparts: {
      ...counterparts,
      'ordering-application': { channel: 'both', ...counterparts?.['ordering-application'] },
    },
  })

  return {
    ...host,
    originator,
    push: (event, push) => host.push(event, '/webhooks/orders', push),
    times(operation) {
      const facts = host.session.facts()
      const begin = facts[0]?.at ?? 0
      return facts.flatMap(({ at, fact }) =>
        fact.kind === 'call.placed' && fact.call.operation === operation ? [at - begin] : [],
      )
    },
  }
}
