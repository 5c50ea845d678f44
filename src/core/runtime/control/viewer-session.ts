/**
 * A session as the token for viewers shows it: exchanges are redacted as in a recording, and credentials of clients are left
 * out, since with them everything could be changed.
 */
import type { Connect, ConnectClient } from '../../session-api/first-contact.ts'
import type { SessionApi, Snapshot } from '../../session-api/session-api.ts'
import { redactExchange } from '../../traffic/redaction/exchange.ts'
import { createRedactor, type Redactor } from '../../traffic/redaction/redactor.ts'
import { processHash } from '../recording/redaction-key.ts'

function withoutSecret<Client extends ConnectClient>(client: Client): Client {
  const { clientSecret: _clientSecret, ...rest } = client
  return rest as Client
}

/** The secret in the line that works as it stands, quoted or not. */
const secretInCurl = /client_secret=(?:'[^']*'(?:\\''[^']*')*|\S+)/g

const withoutSecrets = (connect: Connect): Connect => ({
  ...withoutSecret(connect),
  counterparts: connect.counterparts.map(withoutSecret),
  curl: connect.curl.replaceAll(secretInCurl, 'client_secret="$$CLIENT_SECRET"'),
})

function redacted(snapshot: Snapshot, redactor: Redactor): Snapshot {
  const { info, exchange } = snapshot
  return {
    ...snapshot,
    info: info.connect ? { ...info, connect: withoutSecrets(info.connect) } : info,
    ...(exchange ? { exchange: redactExchange(exchange, redactor).value } : {}),
  }
}

/** Its pseudonyms are those of no recording: they say nothing about one. */
export function createViewerSession(session: SessionApi): SessionApi {
  const redactor = createRedactor(processHash)
  return { ...session, look: async (view) => redacted(await session.look(view), redactor) }
}
