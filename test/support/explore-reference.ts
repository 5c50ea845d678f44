/** A campaign of exploration against the reference Software Service in this process, with defects of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DefectName } from '../../src/demo/defects.ts'
import type {
  ExploredModule,
  ExploreOptions,
  ExploreResult,
} from '../../src/explore/session/explore-options.ts'
import { explore } from '../../src/explore/session/explore.ts'
import {
  createInProcessService,
  type InProcessService,
  type InProcessServiceOptions,
  type StartedService,
  serviceCapabilities,
  servicePaths,
  serviceUrl,
} from './in-process-service.ts'

export interface ReferenceCampaignOptions extends Omit<
  ExploreOptions,
  'as' | 'subject' | 'connect' | 'visit' | 'webhooks' | 'probe' | 'effects' | 'service'
> {
  readonly defects?: readonly DefectName[]
  readonly pace?: InProcessServiceOptions['pace']
  /** It remembers in a file, and is ended and started again. */
  readonly crashes?: true
}

/** The service of the session that is open, a new one for each; as the default export of a module. */
export function referenceModule({
  defects = [],
  pace,
  crashes,
  channel = 'both',
}: Pick<ReferenceCampaignOptions, 'defects' | 'pace' | 'crashes' | 'channel'>): ExploredModule {
  let current: InProcessService | undefined
  let started: StartedService | undefined
  let startAgain = (): void => undefined
  const answer = async (request: Request): Promise<Response> =>
    (await current?.fetch(request)) ?? new Response(null, { status: 503 })
  return {
    subject: answer,
    ...(crashes
      ? { service: { end: () => started?.kill(), start: () => startAgain() } as const }
      : {}),
    connect(session) {
      const folder = crashes && mkdtempSync(join(tmpdir(), 'sparring-memory-'))
      const service = createInProcessService({
        channel,
        defects,
        delivers: true,
        ...(pace === undefined ? {} : { pace }),
        ...(folder === undefined ? {} : { memory: join(folder, 'orders') }),
      })
      current = service
      startAgain = () => void (started = service.start(session))
      startAgain()
      return async () => {
        await started?.[Symbol.asyncDispose]()
        if (folder !== undefined) rmSync(folder, { recursive: true })
        if (current === service) current = undefined
      }
    },
    async visit({ method, path, body }) {
      const headers = { 'content-type': 'application/json' }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      return (await answer(new Request(`${serviceUrl}${path}`, { method, headers, ...sent })))
        .status
    },
  }
}

export function exploreReference(
  options: ReferenceCampaignOptions = {},
  service: Pick<ExploreOptions, keyof ExploredModule> = referenceModule(options),
): Promise<ExploreResult> {
  const { defects: _defects, pace: _pace, crashes: _crashes, ...campaign } = options
  return explore({
    capabilities: serviceCapabilities(true),
    channel: 'both',
    ...campaign,
    ...service,
    as: 'software-service',
    webhooks: servicePaths.webhooks,
    probe: servicePaths.probe,
    effects: servicePaths.effects,
  })
}
