/** Answers of the user's service that refuse a call of ours: what they mean there, and the setting or the remedy. */
import { defaultServiceCredentials } from '../../../protocol/auth/default-client.ts'
import { signatureFormOf, signatureSentence, webhookAccessOf } from '../../../protocol/signature.ts'
import type { Settings } from '../../../engine/settings.ts'
import { headerValue } from '../../../traffic/exchange.ts'
import type { Mistake } from '../mistake.ts'
import {
  callText,
  type FailedCall,
  itsWords,
  onlyStatus,
  serverOf,
  webhookSetting,
} from './failed-call.ts'

/** The secret that webhooks to the service are signed with; one that the user chose is not printed. */
function secretText({ clients, subject }: Settings): string {
  const { clientSecret } = defaultServiceCredentials
  const client = clients.find(({ role }) => role === subject)
  return client?.clientSecret === clientSecret
    ? `the client secret ${clientSecret}`
    : 'the client secret of subject.credentials'
}

/** What the service refuses of a webhook, and what that is made of. */
function webhookProof(settings: Settings): readonly [refused: string, made: string] {
  const form = signatureFormOf(settings.conduct)
  return form
    ? ['signature', signatureSentence(form, secretText(settings))]
    : ['token', 'with conduct.signature: none it has no signature']
}

const isTokenRequest = ({ row }: FailedCall): boolean => row?.id === 'issueToken'
const isManifest = ({ row }: FailedCall): boolean => row?.capability === 'discovery'

const ourClientId = ({ from, settings }: FailedCall): string =>
  settings.clients.find(({ role }) => role === from)?.clientId ?? from

const noManifestText = ({ url, settings }: FailedCall): string =>
  settings.conduct.manifest === 'when-present'
    ? 'your service has no manifest there: this session goes on without one'
    : `your service has no manifest at ${url}: serve one there, or start without it, with conduct.manifest: when-present`

/** Calls to a service need a token; only the events of a Software Service may go to it with a signature alone. */
const noTokenText = (call: FailedCall): string => {
  const { url, settings } = call
  const where = `your service has no token endpoint at ${url}: serve one there`
  if (settings.subject !== undefined && settings.subject !== 'software-service')
    return `${where} for client_id=${ourClientId(call)}; without a token your service cannot be called`
  const { conduct } = settings
  return webhookAccessOf(conduct) === 'auto'
    ? 'your service has no token endpoint there: unless its manifest promises one, webhooks carry their signature alone'
    : `${where}, or have webhooks signed and without a token, with conduct.webhookAccess: signature${signatureFormOf(conduct) ? '' : ' and another conduct.signature than none'}`
}

const redirects = [301, 302, 303, 307, 308] as const

export const answerMistakes: readonly Mistake<FailedCall>[] = [
  {
    name: 'redirects',
    lineFor: onlyStatus(redirects, (call) => {
      const location = headerValue(call.reply?.headers ?? [], 'location') ?? 'nowhere'
      const setting = webhookSetting(call)
      const elsewhere = /^https?:/i.test(location) && serverOf(location) !== serverOf(call.url)
      const remedy = elsewhere
        ? `start with --subject ${serverOf(location)}`
        : setting === undefined
          ? 'answer there, or name that address with --subject <url>'
          : `name that path in ${setting}`
      return `your service redirects ${callText(call)} to ${location.slice(0, 160)}, and redirects are not followed: ${remedy}`
    }),
  },
  {
    name: 'no-manifest',
    clauses: ['DIS-WKN-01'],
    lineFor: onlyStatus([404, 405, 501], (call) =>
      isManifest(call) ? noManifestText(call) : undefined,
    ),
  },
  {
    name: 'no-token-endpoint',
    clauses: ['AUT-TOK-01'],
    lineFor: onlyStatus([404, 405, 501], (call) =>
      isTokenRequest(call) ? noTokenText(call) : undefined,
    ),
  },
  {
    name: 'no-webhook-path',
    clauses: ['ORD-OPS-03'],
    lineFor: onlyStatus([404, 405, 501], (call) => {
      const setting = webhookSetting(call)
      return setting === undefined
        ? undefined
        : `your service has no ${callText(call)}: serve it, or name the path that it has in ${setting} of the configuration`
    }),
  },
  {
    name: 'our-credentials-refused',
    clauses: ['AUT-TOK-02'],
    lineFor: onlyStatus([400, 401, 403], (call) =>
      isTokenRequest(call)
        ? `your service gives no token to client_id=${ourClientId(call)}${itsWords(call)}: accept that client there, or name another in counterparts.${call.from}.credentials`
        : undefined,
    ),
  },
  {
    name: 'signature-or-token-refused',
    clauses: ['TRN-STA-05'],
    lineFor: onlyStatus([401, 403], (call) => {
      if (webhookSetting(call) === undefined) return undefined
      const token = call.hasToken
        ? `; Authorization: Bearer has the token that your own token endpoint gave to ${ourClientId(call)}`
        : '; no token is sent with it'
      const [refused, made] = webhookProof(call.settings)
      return `your service refuses the ${refused} of the webhook${itsWords(call)}: ${made}${token}`
    }),
  },
  {
    name: 'token-refused',
    clauses: ['TRN-STA-05', 'TRN-STA-06'],
    lineFor: onlyStatus(
      [401, 403],
      (call) =>
        `your service refuses the token of ${ourClientId(call)} for ${callText(call)}${itsWords(call)}: accept the tokens and scopes that its own token endpoint gives out`,
    ),
  },
  {
    name: 'media-type-refused',
    clauses: ['TRN-HDR-02', 'TRN-CON-03'],
    lineFor: onlyStatus(
      [406, 415],
      (call) =>
        `your service does not take JSON at ${callText(call)}${itsWords(call)}: bodies come with Content-Type: application/json; read them as JSON`,
    ),
  },
  {
    name: 'event-called-invalid',
    clauses: ['ORD-OPS-03'],
    lineFor: onlyStatus([400, 422], (call) =>
      webhookSetting(call) === undefined
        ? undefined
        : `your service calls the event invalid${itsWords(call)}: the body is one event, a JSON object with eventId, eventType and orderId (sparring events show has it); take fields and types that it does not know`,
    ),
  },
  {
    name: 'body-too-large',
    lineFor: onlyStatus(
      [413],
      (call) =>
        `your service takes no body of this size at ${callText(call)}${itsWords(call)}: raise the limit there`,
    ),
  },
  {
    name: 'slow-down',
    clauses: ['TRN-STA-10'],
    lineFor: onlyStatus([429], (call) => {
      const seconds = headerValue(call.reply?.headers ?? [], 'retry-after')
      return `your service asks us to slow down${itsWords(call)}: ${seconds === undefined ? 'it names no Retry-After, so the retry plan decides' : `we wait its Retry-After of ${seconds.slice(0, 40)}`}`
    }),
  },
  {
    name: 'proxy-without-service',
    lineFor: onlyStatus(
      [502, 504],
      (call) =>
        `a proxy at ${serverOf(call.url)} gets no answer from your service${itsWords(call)}: start it, or correct the proxy's target`,
    ),
  },
  {
    name: 'service-failed',
    clauses: ['TRN-STA-11'],
    lineFor: ({ failure, reply, ...call }) =>
      !failure && reply && reply.status >= 500
        ? `your service failed at ${callText(call)}${itsWords({ reply })}: see its log${call.row?.webhook === undefined ? '' : '; answer 2xx once the event is stored'}`
        : undefined,
  },
]
