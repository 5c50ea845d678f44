/** What the answer to a first call says about token, path and signature of the user's service. */
import type { RequestEdit } from '../../runtime/client/outbound-calls.ts'
import { signBody } from '../../runtime/client/signature.ts'
import type { Settings } from '../../engine/settings.ts'
import { isSuccess } from '../../engine/calls/call.ts'
import type { Exchange } from '../../traffic/exchange.ts'
import { asSentence, type CheckFinding, okFinding, problemFinding } from './finding.ts'
import type { FirstCall } from './first-calls.ts'
import type { ServiceCallResult, ServiceClient } from './service-client.ts'

const isTokenRequest = ({ operation }: Exchange): boolean => operation === 'issueToken'

/** `POST http://127.0.0.1:3000/webhooks/orders answers 404` */
function answerText({ request, reply, failure }: Exchange): string {
  const said = reply ? `answers ${reply.status}` : `has no answer (${failure?.code ?? 'FAILED'})`
  return `${request.method} ${request.url.split('?')[0]} ${said}`
}

const isTaken = ({ reply, failure }: Exchange): boolean =>
  !failure && isSuccess({ kind: 'answered', status: reply?.status ?? 0 })

const ourClientId = ({ from }: Exchange, { clients }: Settings): string =>
  clients.find(({ role }) => role === from.role)?.clientId ?? from.role

const isMissing = ({ reply }: Exchange): boolean => [404, 405, 501].includes(reply?.status ?? 0)

/** What to do where a call was not sent, since there is no token for it. */
function tokenRemedy(asked: Exchange, { message }: Error, { isSigned }: FirstCall): string {
  if (!isMissing(asked))
    return isTaken(asked)
      ? `${asSentence(message)} Answer with access_token and expires_in as JSON (AUT-TOK-01).`
      : asSentence(asked.reason ?? message)
  const otherwise = isSigned
    ? ', or have webhooks signed and without a token, with conduct.webhookAccess: signature'
    : ''
  return `Serve a token endpoint there${otherwise}: the calls behind it are not sent without a token (AUT-TOK-01).`
}

/** About the token request that a call made necessary; none where there was none. */
function tokenFindings(
  { exchanges, error }: ServiceCallResult,
  call: FirstCall,
  settings: Settings,
): readonly CheckFinding[] {
  const asked = exchanges.findLast(isTokenRequest)
  if (!asked) return []
  const what = `token: ${answerText(asked)} to client_id=${ourClientId(asked, settings)}`
  if (error && exchanges.every(isTokenRequest))
    return [
      problemFinding(call.isEssential ? 'fail' : 'warn', what, tokenRemedy(asked, error, call)),
    ]
  return isTaken(asked)
    ? [okFinding(what)]
    : [problemFinding('warn', what, asSentence(asked.reason ?? 'see its log'))]
}

type Judgement = 'fine' | 'doubtful' | 'refused'

/** Whether a service that answers so takes the call. */
function judgementOf({ reply, failure }: Exchange, { isRefusable }: FirstCall): Judgement {
  const { status } = reply ?? { status: 0 }
  if (failure || status < 200 || (status >= 300 && status < 400)) return 'refused'
  if (status < 300) return 'fine'
  if (status === 429 || status === 500) return 'doubtful'
  if ([401, 403, 404, 405, 406, 415].includes(status) || status > 500) return 'refused'
  return isRefusable ? 'fine' : 'refused'
}

function remedyOf(exchange: Exchange, { isSigned, isRefusable }: FirstCall): string {
  const { reply, reason, operation } = exchange
  if (reply?.status === 500 && isRefusable)
    return 'Your service failed at a body that has none of the fields that it needs: see its log, and answer 400 to such a body (TRN-STA-04).'
  if (isMissing(exchange) && !isSigned)
    return `Serve it there, correct --subject <url>, or name its path in conduct.paths.${operation} of the configuration.`
  return asSentence(reason ?? 'see its log')
}

/** Where a path below the one of --subject is missing: whether the service has it at its root. */
async function rootRemedy(
  client: ServiceClient,
  call: FirstCall,
  { request }: Exchange,
  base: string,
): Promise<string | undefined> {
  const { origin } = new URL(base)
  const path = request.url.slice(base.length)
  if (base === origin || !request.url.startsWith(base)) return undefined
  const moved = await client.call(call.intent, (each) => ({ ...each, url: `${origin}${path}` }))
  const there = moved.exchanges.findLast((each) => !isTokenRequest(each))
  return there && !there.failure && !isMissing(there)
    ? `Your service has it at ${origin}${path}: start with --subject ${origin}.`
    : undefined
}

/** The store that a webhook names: there is no event, which would name it. */
const withMerchant =
  ({ merchants: [merchant] }: Settings): RequestEdit =>
  (request) =>
    'x-app-merchantid' in request.headers && merchant
      ? {
          ...request,
          headers: { ...request.headers, 'x-app-merchantid': merchant.merchantId },
        }
      : request

const noSecret = 'this is not the secret'

const withWrongSignature =
  ({ conduct: { signature } }: Settings): RequestEdit =>
  (request) => ({
    ...request,
    headers: {
      ...request.headers,
      'x-app-signature': signBody(request.body ?? '', noSecret, signature),
    },
  })

/**
 * The same request once more, with a wrong signature: a service that verifies refuses it as it has not refused the right
 * one. Its body is no event, so that nothing happens at a service that does not verify.
 */
async function signatureFinding(client: ServiceClient, call: FirstCall): Promise<CheckFinding> {
  const { settings } = client.engine
  const { exchanges } = await client.call(call.intent, (request) =>
    withWrongSignature(settings)(withMerchant(settings)(request)),
  )
  const forged = exchanges.findLast((each) => !isTokenRequest(each))
  const { status } = forged?.reply ?? { status: 0 }
  const path = forged ? `${forged.request.method} ${new URL(forged.request.url).pathname}` : ''
  if (status === 401 || status === 403)
    return okFinding(`signature: ${path} refuses a wrong X-App-Signature with ${status}`)
  return isSuccess({ kind: 'answered', status })
    ? problemFinding(
        'warn',
        `signature: ${path} takes a wrong X-App-Signature with ${status} (TRN-STA-05)`,
        'Compare it with the HMAC-SHA256 of the raw body, and answer 401 where it differs: anybody can send events else.',
      )
    : problemFinding(
        'warn',
        `signature: ${path} answers ${status} to a wrong X-App-Signature, as to the right one (TRN-STA-05)`,
        'Verify it before the body is read, and answer 401. The scenario a-forged-webhook shows whether an event is refused.',
      )
}

interface CallFindings {
  readonly findings: readonly CheckFinding[]
  readonly exchanges: readonly Exchange[]
}

/** One call of ours at the service, and what its answer shows. */
export async function firstCallFindings(
  client: ServiceClient,
  call: FirstCall,
  base: string,
): Promise<CallFindings> {
  const { settings } = client.engine
  const { isEssential, isSigned, label, capability } = call
  const result = await client.call(call.intent, withMerchant(settings))
  const findings = [...tokenFindings(result, call, settings)]
  const { exchanges } = result
  const exchange = exchanges.findLast((each) => !isTokenRequest(each))
  if (!exchange) return { findings, exchanges }
  const judgement = judgementOf(exchange, call)
  const what = `${label}: ${answerText(exchange)}`
  if (judgement === 'fine') {
    // A list of merchants is a way to a token, and need not be there.
    if (label !== 'token') findings.push(okFinding(what))
    if (isSigned) findings.push(await signatureFinding(client, call))
    return { findings, exchanges }
  }
  const { fallback: operation, ...rest } = call
  if (operation !== undefined && exchange.reply?.status === 404)
    return firstCallFindings(client, { ...rest, intent: { ...call.intent, operation } }, base)
  if (label === 'token' && isMissing(exchange)) return { findings, exchanges }
  const moved = isMissing(exchange) && (await rootRemedy(client, call, exchange, base))
  const without =
    isEssential || capability === undefined
      ? ''
      : ` Only ${capability} needs it: capabilities: { ${capability}: false } does without.`
  const level = isEssential && judgement === 'refused' ? 'fail' : 'warn'
  findings.push(problemFinding(level, what, `${moved || remedyOf(exchange, call)}${without}`))
  return { findings, exchanges }
}
