/**
 * First contact: what a user needs to connect a service to a session, as data for scripts and as rows for people. The log,
 * the dashboard, `ready.json` and `--json` all show these rows.
 */
import type { WebhookName } from '../protocol/operation.ts'
import type { Role } from '../protocol/role.ts'
import { signatureForms, type SignatureName } from '../protocol/signature.ts'
import type { Instant } from '../engine/instant.ts'

/** OAuth client credentials; a secret that the user has configured is not repeated. */
export interface ConnectClient {
  readonly clientId: string
  readonly clientSecret?: string
}

/** The receiver of one kind of events. */
export interface ConnectWebhook {
  readonly events: WebhookName
  readonly url: string
}

/** Addresses and credentials of a service in this session. */
export interface Connect extends ConnectClient {
  /** The role that your service plays; without `--as` the role that it could play. */
  readonly role: Role
  /** No service takes part: this session plays every role itself. */
  readonly unassigned?: true
  /** Where your service answers. */
  readonly url?: string
  /** The counterpart that your service talks to. */
  readonly counterpart: Role
  readonly baseUrl: string
  readonly tokenUrl: string
  /** The scopes that its token request asks for, with spaces between them (AUT-TOK-02); none in V1. */
  readonly scope?: string
  /** Where your service polls for events. */
  readonly pollUrl?: string
  /** Where this session polls your service for events. */
  readonly polls?: string
  /** Where this session sends events: the webhooks of your service. */
  readonly sendsTo: readonly ConnectWebhook[]
  /** Where your service sends events: the webhooks of its counterparts. */
  readonly receivesAt: readonly ConnectWebhook[]
  /** The form of the signature (`conduct.signature`). */
  readonly signature: SignatureName
  /** How the counterparts sign in at your service. */
  readonly counterparts: readonly (ConnectClient & { readonly role: Role })[]
  /** Authority of our certificates, where they are generated. */
  readonly authority?: string
  /** A first call that works as it stands, in a POSIX shell. */
  readonly curl: string
}

/** Whether your service has been heard of. */
export interface ContactState {
  /** The first call that it made, or the first call to it that it accepted. */
  readonly connected?: { readonly at: Instant; readonly by: string }
  /** One sentence: why it cannot be reached now. */
  readonly unreachable?: string
  /** Warnings about your service that hold now: its manifest is missing or wrong. One sentence each. */
  readonly notices: readonly string[]
  /** Events that wait until your service can be called. */
  readonly waiting: number
}

/** What the rows are made of: a part of `SessionInfo`. */
export interface FirstContactInfo {
  readonly connect?: Connect
  readonly contact?: ContactState
  readonly control?: string
}

export interface ContactRow {
  readonly label: string
  readonly value: string
}

const roleTitles: Readonly<Record<Role, string>> = {
  'ordering-application': 'Ordering Application',
  'software-service': 'Software Service',
  'delivery-platform': 'Delivery Platform',
  crm: 'CRM',
}

const secretText = ({ clientSecret }: ConnectClient): string =>
  clientSecret ?? '(as in your configuration)'

const scopeText = ({ scope }: Connect): string => (scope === undefined ? '' : ` (scope ${scope})`)

/** How the first event comes to be, by the role of your service. */
const firstEvents: Readonly<
  Record<Role, (connect: Connect, create: string) => ContactRow | undefined>
> = {
  'software-service': (_, create) => ({ label: 'First order', value: create }),
  'ordering-application': ({ polls, receivesAt }) => {
    const webhook = receivesAt.find(({ events }) => events === 'orders')
    const ways = [
      ...(polls === undefined ? [] : [`this session polls GET ${polls}`]),
      ...(webhook ? [`send its event to ${webhook.url}`] : []),
    ]
    return ways.length === 0
      ? undefined
      : { label: 'First order', value: `create one in your service; ${ways.join(', or ')}` }
  },
  'delivery-platform': ({ url }, create) => ({
    label: 'First delivery',
    value: `${create} --type DELIVERY${urlHint(url)}`,
  }),
  crm: ({ url }, create) => ({ label: 'First customer', value: `${create}${urlHint(url)}` }),
}

/** A platform and a CRM are called first, which takes an address. */
const urlHint = (url: string | undefined): string =>
  url === undefined ? ', which calls your service: begin again with --subject <its URL>' : ''

const defaultControl = 'http://127.0.0.1:7100'

const createCommand = (control: string | undefined): string =>
  `npx sparring orders create${control === undefined || control === defaultControl ? '' : ` --control ${control}`}`

/** One row with all addresses; none without one. */
const webhookRow = (label: string, webhooks: readonly ConnectWebhook[]): readonly ContactRow[] =>
  webhooks.length === 0 ? [] : [{ label, value: webhooks.map(({ url }) => url).join(' ') }]

const row = (label: string, value: string | undefined): readonly ContactRow[] =>
  value === undefined ? [] : [{ label, value }]

const serviceText = ({ role, unassigned, url }: Connect): string =>
  unassigned
    ? 'none takes part. --as software-service leaves the store to yours, which polls; with --channel webhook --subject <url> it receives webhooks'
    : `${roleTitles[role]}${url === undefined ? '' : ` at ${url}`}`

function signedWithText(signature: SignatureName): string {
  const form = signatureForms[signature]
  if (!form) return 'no signature: a token in the Authorization header'
  const signed = form.over === 'body' ? 'the body' : 'URL, query and body'
  return `${form.header}: ${signature} of ${signed}, keyed with the client secret`
}

/** How to connect a service, in the order in which it is needed; nothing where no service can connect. */
export function firstContact({ connect, control }: FirstContactInfo): readonly ContactRow[] {
  if (connect === undefined) return []
  const { role, counterpart, pollUrl, sendsTo, receivesAt, signature } = connect
  const caller = connect.counterparts.find((each) => each.role === counterpart)
  const first = firstEvents[role](connect, createCommand(control))
  return [
    ...row('Your service', serviceText(connect)),
    ...row('Base URL', `${connect.baseUrl} (${roleTitles[counterpart]})`),
    ...row('Token URL', connect.tokenUrl),
    ...row('Client id', `${connect.clientId}${scopeText(connect)}`),
    ...row('Client secret', secretText(connect)),
    ...row('Events', pollUrl && `GET ${pollUrl}`),
    ...webhookRow('Events sent to', sendsTo),
    ...row('Signed with', sendsTo.length > 0 ? signedWithText(signature) : undefined),
    // The store's own events (Indoor) are no part of a first contact.
    ...(role === 'software-service' ? [] : webhookRow('Send events to', receivesAt)),
    ...row('Calls you as', caller && `${caller.clientId} / ${secretText(caller)}`),
    ...row('Authority', connect.authority),
    ...row('Try it', connect.curl),
    ...(first ? [first] : []),
  ]
}

/** One sentence: whether your service has connected. */
export function contactStatus({ connect, contact }: FirstContactInfo): string | undefined {
  if (connect === undefined || connect.unassigned) return undefined
  if (contact?.unreachable !== undefined) return contact.unreachable
  if (contact?.connected) return `Your service has connected: ${contact.connected.by}`
  const waiting = contact?.waiting ?? 0
  const events =
    waiting === 0 ? '' : ` (${waiting} ${waiting === 1 ? 'event waits' : 'events wait'} for it)`
  return `Waiting for your service to connect …${events}`
}
