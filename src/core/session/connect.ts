/** Composes the addresses and credentials with which a service connects, from the configuration and our URLs. */
import { randomCredentials } from '../engine/auth/random-credentials.ts'
import { displayUrl } from '../traffic/redaction/display.ts'
import { joinUrl } from '../base/join-url.ts'
import { compact } from '../base/compact.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import { defaultConfiguration } from '../session-api/configuration/defaults.ts'
import { servedOperations } from '../engine/served-operations.ts'
import type { Settings } from '../engine/settings.ts'
import { type CatalogueRow, operation } from '../protocol/catalogue.ts'
import { requestedScopes } from '../runtime/client/token-request.ts'
import { speaksV1 } from '../protocol/dialects/settings.ts'
import { isPollOperation } from '../engine/calls/call.ts'
import type { Conduct } from '../protocol/conduct.ts'
import { urlInDialect } from '../protocol/dialects/paths.ts'
import { bodyTranslator } from '../protocol/translation/translator.ts'
import { isUnknownRecord } from '../protocol/unknown-record.ts'
import type { Role } from '../protocol/role.ts'
import type { Connect, ConnectClient, ConnectWebhook } from '../session-api/first-contact.ts'

interface ConnectParts {
  readonly configuration: Configuration
  readonly settings: Settings
  /** Base URL of each role that we play. */
  readonly urls: ReadonlyMap<Role, string>
  readonly authority?: string | undefined
}

/** The counterparts that a service talks to first, by its role. */
const counterpartsOf: Readonly<Record<Role, readonly Role[]>> = {
  'software-service': ['ordering-application', 'delivery-platform'],
  'ordering-application': ['software-service', 'crm', 'delivery-platform'],
  'delivery-platform': ['ordering-application', 'software-service'],
  crm: ['ordering-application'],
}

/** A secret is printed only when we made it up: the default one, or one that is drawn from the seed. */
function printedClient(
  { clientId, clientSecret }: Required<ConnectClient>,
  ...ours: readonly ConnectClient[]
): ConnectClient {
  const isOurs = ours.some((each) => each.clientSecret === clientSecret)
  return isOurs ? { clientId, clientSecret } : { clientId }
}

const shellQuoted = (text: string): string =>
  /^[\w./:@%+=~-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** What the token endpoint is asked, and under which name it answers the token, on the wire. */
function tokenOnWire(conduct: Conduct, own: Readonly<Record<string, string>>) {
  const translator = bodyTranslator(conduct)
  const asked = translator?.toWire('issueToken', 'request', own) ?? own
  const answer = { access_token: '…', token_type: 'Bearer', expires_in: 1 }
  const text = JSON.stringify(translator?.toWire('issueToken', 'reply', answer) ?? answer)
  return {
    asked: Object.entries(isUnknownRecord(asked) ? asked : own),
    tokenName: /"([^"]+)":"…"/.exec(text)?.[1] ?? 'access_token',
  }
}

const grant = 'client_credentials'

/** A call with a fresh token: the token request inside, so that one line works as it stands. */
function curlLine(
  url: string,
  tokenUrl: string,
  {
    client,
    scope,
    authority,
    conduct,
  }: {
    readonly client: ConnectClient
    readonly scope: string | undefined
    readonly authority: string | undefined
    readonly conduct: Conduct
  },
): string {
  const ca = authority === undefined ? '' : ` --cacert ${shellQuoted(authority)}`
  const isPlain = !/[^\w.~-]/.test(client.clientId + (client.clientSecret ?? ''))
  const data = isPlain ? '-d' : '--data-urlencode'
  const { clientId, clientSecret = '"$CLIENT_SECRET"' } = client
  const own = {
    grant_type: grant,
    client_id: clientId,
    client_secret: clientSecret,
    ...compact({ scope }),
  }
  const { asked, tokenName } = tokenOnWire(conduct, own)
  const fields = asked.map(([name, value]) => {
    const text = String(value)
    const isVariable = text === clientSecret && client.clientSecret === undefined
    return `${text === grant ? '-d' : data} ${name}=${isVariable ? text : shellQuoted(text)}`
  })
  const token = `curl -sS${ca} ${fields.join(' ')} ${shellQuoted(tokenUrl)}`
  const extracted = String.raw`sed 's/.*"${tokenName}":"\([^"]*\)".*/\1/'`
  return `curl -sS -i${ca} -H "Authorization: Bearer $(${token} | ${extracted})" ${shellQuoted(url)}`
}

/** Undefined when this session plays no role that a service talks to. */
function connectOf(parts: ConnectParts): Connect | undefined {
  const { configuration, settings, urls, authority } = parts
  const { subject, counterparts, conduct } = configuration
  const role = subject.role ?? 'software-service'
  const counterpart = counterpartsOf[role].find((each) => urls.has(each))
  const baseUrl = counterpart && urls.get(counterpart)
  if (counterpart === undefined || baseUrl === undefined) return undefined
  const paths = subject.webhooks
  const standard = defaultConfiguration()
  const called = subject.role !== undefined && subject.url !== undefined
  const served = (host: Role) => servedOperations(host, settings, paths)
  const urlAt = (host: Role, base: string, row: CatalogueRow): string =>
    urlInDialect(row, { role: host, base }, conduct)
  /** Whether one of our roles may call it. */
  const isOurs = ({ callers }: CatalogueRow): boolean =>
    callers.some((each) => each !== role && urls.has(each))
  const ofService = called ? served(role).filter(isOurs) : []
  const shownUrl = subject.url === undefined ? undefined : displayUrl(subject.url)
  const own = shownUrl ?? ''
  const webhooksAt = (rows: readonly CatalogueRow[], base: string): readonly ConnectWebhook[] =>
    rows.flatMap(({ webhook }) =>
      webhook === undefined ? [] : [{ events: webhook, url: joinUrl(base, paths[webhook]) }],
    )
  const poll = served(counterpart).find(
    ({ id, callers }) => isPollOperation(id) && callers.includes(role),
  )
  const polled = ofService.find(({ id }) => isPollOperation(id))
  const client = printedClient(
    subject.credentials,
    standard.subject.credentials,
    randomCredentials(configuration.seed),
  )
  const tokenUrl = urlAt(counterpart, baseUrl, operation('issueToken'))
  const pollUrl = poll && urlAt(counterpart, baseUrl, poll)
  const readable = served(counterpart).find(
    ({ method, access }) => method === 'GET' && access === 'token',
  )
  const asked = requestedScopes({ from: role, to: counterpart }, settings)
  const scope = asked === '' || speaksV1(conduct) ? undefined : asked
  const guarded = ofService.filter(({ access }) => typeof access === 'object')
  return {
    role,
    ...(subject.role === undefined ? { unassigned: true } : {}),
    ...compact({ url: shownUrl, authority, pollUrl, scope }),
    ...(polled ? { polls: urlAt(role, own, polled) } : {}),
    counterpart,
    baseUrl,
    tokenUrl,
    ...client,
    sendsTo: webhooksAt(ofService, own),
    receivesAt: Array.from(urls).flatMap(([host, base]) =>
      webhooksAt(
        served(host).filter(({ callers }) => host !== role && callers.includes(role)),
        base,
      ),
    ),
    signature: conduct.signature,
    counterparts: Array.from(urls.keys()).flatMap((each) =>
      guarded.some(({ callers }) => callers.includes(each))
        ? [
            {
              role: each,
              ...printedClient(
                counterparts[each].credentials,
                standard.counterparts[each].credentials,
              ),
            },
          ]
        : [],
    ),
    curl: curlLine(
      pollUrl ?? urlAt(counterpart, baseUrl, readable ?? operation('listMerchants')),
      tokenUrl,
      { client, scope, authority, conduct },
    ),
  }
}

/** The same, computed on first use: a session without a screen never asks for it. */
export function lazyConnect(parts: ConnectParts): () => Connect | undefined {
  let computed: { readonly connect: Connect | undefined } | undefined
  return () => (computed ??= { connect: connectOf(parts) }).connect
}
