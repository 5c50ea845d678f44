/** Starts the proxies of a recording: one for each partner, and one for the subject if the partner calls it. */
import type { Configuration } from '../../../core/session-api/configuration/schema.ts'
import { startProxy } from '../../proxy/proxy.ts'
import type { SessionTls } from '../../../core/runtime/tls/session-tls.ts'
import type { Role } from '../../../core/protocol/role.ts'
import { checkPublicUrls, publicUrlsOf } from '../../../core/session/public-urls.ts'
import { rolePorts } from '../../../core/session/settings.ts'
import type { Exchange, Party } from '../../../core/traffic/exchange.ts'
import type { TrafficLog } from '../../../core/traffic/log.ts'
import type { PartnerTrust, RecordedPartner } from './partners.ts'
import { operation, type OperationId } from '../../../core/protocol/catalogue.ts'
import { type WebhookName, webhookNames } from '../../../core/protocol/operation.ts'
import {
  orderAndEventsOf,
  type RecognisedCall,
  recogniseOperation,
  urlPath,
} from '../../../core/traffic/recognise-operation.ts'

/** The webhook operation for each kind of event. */
const webhookOperation: Readonly<Record<WebhookName, OperationId>> = {
  orders: 'receiveOrderEvent',
  accounts: 'receiveAccountEvent',
  delivery: 'receiveDeliveryEvent',
  customer: 'receiveCustomerEvent',
  loyalty: 'receiveLoyaltyEvent',
}

interface ExchangeClassifierOptions {
  /** Webhook paths of the subject. */
  readonly webhooks: Readonly<Record<WebhookName, string>>
  readonly subject: Role
}

/** Classifies a proxied exchange: operation, parameters, order, events and the role of the partner. */
function createExchangeClassifier({ webhooks, subject }: ExchangeClassifierOptions) {
  function found({ request, to }: Exchange): RecognisedCall | undefined {
    const path = urlPath(request.url)
    const name =
      to.role === subject ? webhookNames.find((each) => path.endsWith(webhooks[each])) : undefined
    if (name === undefined) return recogniseOperation(request.method, request.url)
    const prefix = path.slice(0, -webhooks[name].length)
    return { row: operation(webhookOperation[name]), params: {}, prefix }
  }

  /** The configured partner role, unless it cannot take part in the operation: then a role that can. */
  const partnerRole = (possible: readonly Role[], configured: Role): Role =>
    possible.includes(configured)
      ? configured
      : (possible.find((role) => role !== subject) ?? configured)

  const partyOf = (party: Party, possible: readonly Role[]): Party =>
    party.party === 'partner' ? { ...party, role: partnerRole(possible, party.role) } : party

  return (exchange: Exchange): Exchange => {
    const recognised = found(exchange)
    if (!recognised) return exchange
    const { row, params } = recognised
    return {
      ...exchange,
      from: partyOf(exchange.from, row.callers),
      to: partyOf(exchange.to, row.hosts),
      operation: row.id,
      params,
      ...orderAndEventsOf(recognised, exchange),
    }
  }
}

export interface RecordSetup {
  readonly configuration: Configuration
  readonly subject: Role
  readonly partners: readonly RecordedPartner[]
  /** Base URL of the subject, if the partner calls it. */
  readonly url?: string
  readonly file: string
}

const isManifest = (path: string): boolean => path.startsWith('/.well-known/')

interface StartOptions {
  readonly setup: RecordSetup
  readonly log: TrafficLog
  readonly tls: SessionTls | undefined
  readonly partnerTrust: PartnerTrust
  readonly keepHost: boolean
  /** The partner’s manifest names our address in place of its own. */
  readonly rewritesManifest: boolean
  readonly onNotice: (notice: string) => void
  readonly onLeft: (notice: string) => void
  readonly onBug: (error: unknown) => void
}

export async function startProxies({
  setup,
  log,
  tls,
  partnerTrust,
  rewritesManifest,
  ...how
}: StartOptions) {
  const { configuration, partners, subject, url } = setup
  const portOf = rolePorts(configuration)
  const recognise = createExchangeClassifier({ webhooks: configuration.subject.webhooks, subject })
  const own: Party = { role: subject, party: 'subject' }
  const routes = [
    ...partners.map(({ role, url: target }) => {
      const partner: Party = { role, party: 'partner' }
      return { role, target, from: own, to: partner, ...partnerTrust }
    }),
    ...(url === undefined || !partners[0]
      ? []
      : [
          {
            role: subject,
            target: url,
            from: { role: partners[0].role, party: 'partner' } as const,
            to: own,
            trust: tls?.trust,
            certificateRemedy: 'Name its authority in the configuration with subject: { ca }.',
          },
        ]),
  ]
  checkPublicUrls(
    configuration,
    routes.map(({ role }) => role),
  )
  const running: (readonly [Role, Awaited<ReturnType<typeof startProxy>>])[] = []
  const close = async (): Promise<void> => {
    await Promise.all(running.map(([, proxy]) => proxy.close()))
  }
  try {
    for (const { role, ...route } of routes) {
      const proxy = await startProxy({
        ...route,
        log,
        recognise,
        ...how,
        rewrites: rewritesManifest ? isManifest : undefined,
        address: configuration.host,
        port: portOf(role),
        secure: tls?.serverContext,
        publicUrl: (ownUrl) => publicUrlsOf(configuration, new Map([[role, ownUrl]])).get(role),
      })
      running.push([role, proxy])
    }
  } catch (error) {
    await close()
    throw error
  }
  return { urls: new Map(running.map(([role, { url: at }]) => [role, at])), close }
}
