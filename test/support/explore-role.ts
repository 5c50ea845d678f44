/**
 * Campaigns of exploration in this process against services of the other roles: the reference Ordering Application, and
 * Sparring itself.
 */
import { compact } from '../../src/core/base/compact.ts'
import type { DefectName } from '../../src/demo/defects.ts'
import {
  createOrderingApplication,
  type OrderingApplication,
} from '../../src/demo/ordering-application.ts'
import type { Role } from '../../src/core/protocol/role.ts'
import { explore } from '../../src/explore/session/explore.ts'
import type { ExploreOptions, ExploreResult } from '../../src/explore/session/explore-options.ts'
import { type SessionService, startSessionService } from './session-service.ts'
import { writtenWorkloads } from './written-workloads.ts'

interface RoleCampaignOptions extends Pick<
  ExploreOptions,
  'seed' | 'maxRuns' | 'channel' | 'conduct' | 'dialect'
> {
  /** Names of built-in workloads; all of the role, when absent. */
  readonly only?: readonly string[]
}

export interface OrderingCampaignOptions extends RoleCampaignOptions {
  readonly defects?: readonly DefectName[]
  /** Called when it has started: for orders that it places by itself. */
  readonly onStart?: (application: OrderingApplication) => void
  /** Whether it places orders when it is asked to; it does when absent. */
  readonly takesOrders?: false
}

const serviceUrl = 'http://ordering-application.test'

const chosen = (as: Role, { only, ...options }: RoleCampaignOptions) => ({
  as,
  ...options,
  ...compact({ workloads: only && writtenWorkloads(as, only) }),
})

export function exploreOrderingApplication({
  defects = [],
  onStart,
  takesOrders,
  ...options
}: OrderingCampaignOptions = {}): Promise<ExploreResult> {
  let current: OrderingApplication | undefined
  const answer = async (request: Request): Promise<Response> =>
    (await current?.fetch(request)) ?? new Response(null, { status: 503 })
  return explore({
    ...chosen('ordering-application', options),
    subject: answer,
    connect(session) {
      const application = createOrderingApplication({
        partner: session.urls.get('software-service') ?? '',
        platform: session.urls.get('delivery-platform'),
        base: serviceUrl,
        clock: session.clock,
        fetch: session.fetch,
        pace: { reconcileMs: 12_000 },
        concludeMs: 2000,
        defects,
      })
      current = application
      application.start()
      onStart?.(application)
      return application.stop
    },
    async visit({ method, path, body }) {
      if (takesOrders === false) return 404
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      return (await answer(new Request(`${serviceUrl}${path}`, { method, ...sent }))).status
    },
  })
}

/** Sparring plays the role in a session of its own. */
export function exploreSparringAs(
  plays: Exclude<Role, 'ordering-application'>,
  options: RoleCampaignOptions = {},
): Promise<ExploreResult> {
  const isCrm = plays === 'crm'
  const capabilities = {
    indoor: false,
    logistics: !isCrm,
    customer: isCrm,
    reviews: isCrm,
    loyalty: isCrm,
  }
  let current: SessionService | undefined
  return explore({
    ...chosen(plays, options),
    capabilities,
    subject: async (request) =>
      (await current?.fetch(request)) ?? new Response(null, { status: 503 }),
    connect(session) {
      const service = startSessionService(
        {
          plays,
          partner: 'ordering-application',
          capabilities,
          ...compact({ conduct: options.conduct, dialect: options.dialect }),
          // It takes what is pushed to it, and reads it as well.
          ...(isCrm ? { counterparts: { crm: { mode: 'hybrid' } } } : {}),
        },
        session,
      )
      current = service
      return async () => {
        await service[Symbol.asyncDispose]()
      }
    },
  })
}
