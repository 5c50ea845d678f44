/** A campaign of exploration against the reference Software Service in this process, with defects of its own. */
import type { DefectName } from '../../src/demo/defects.ts'
import type { ExploreOptions, ExploreResult } from '../../src/explore/session/explore-options.ts'
import { explore } from '../../src/explore/session/explore.ts'
import {
  createInProcessService,
  type InProcessService,
  type InProcessServiceOptions,
  serviceCapabilities,
  servicePaths,
  serviceUrl,
} from './in-process-service.ts'

export interface ReferenceCampaignOptions extends Omit<
  ExploreOptions,
  'as' | 'subject' | 'connect' | 'visit' | 'webhooks' | 'probe' | 'effects'
> {
  readonly defects?: readonly DefectName[]
  readonly pace?: InProcessServiceOptions['pace']
}

/** The service of the session that is open, a new one for each. */
export function exploreReference(options: ReferenceCampaignOptions = {}): Promise<ExploreResult> {
  const { defects = [], pace, channel = 'both', ...campaign } = options
  let current: InProcessService | undefined
  const answer = async (request: Request): Promise<Response> =>
    (await current?.fetch(request)) ?? new Response(null, { status: 503 })
  return explore({
    capabilities: serviceCapabilities(true),
    ...campaign,
    as: 'software-service',
    channel,
    webhooks: servicePaths.webhooks,
    probe: servicePaths.probe,
    effects: servicePaths.effects,
    subject: answer,
    connect(session) {
      const service = createInProcessService({
        channel,
        defects,
        delivers: true,
        ...(pace === undefined ? {} : { pace }),
      })
      current = service
      const started = service.start(session)
      return async () => {
        await started[Symbol.asyncDispose]()
        if (current === service) current = undefined
      }
    },
    async visit({ method, path, body }) {
      const headers = { 'content-type': 'application/json' }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      return (await answer(new Request(`${serviceUrl}${path}`, { method, headers, ...sent })))
        .status
    },
  })
}
