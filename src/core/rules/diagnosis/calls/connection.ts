/**
 * Calls that got no answer: no connection, TLS on one side only, a certificate that is not trusted, no answer in time.
 */
import type { Mistake } from '../mistake.ts'
import { keptConnection } from '../../../traffic/failed-requests.ts'
import { callText, type FailedCall, serverOf } from './failed-call.ts'

/** The line of a mistake with one of these error codes; a pattern stands for a family of them. */
const onlyCode =
  (codes: RegExp, lineFor: (call: FailedCall, message: string) => string | undefined) =>
  (call: FailedCall): string | undefined => {
    const { failure } = call
    return failure && codes.test(failure.code) ? lineFor(call, failure.message) : undefined
  }

/** What Node reads of the headers of an answer at most. */
const maxHeaderText = '16 KB'

const isHttps = ({ url }: FailedCall): boolean => /^https:/i.test(url)

const otherScheme = (call: FailedCall): string =>
  isHttps(call)
    ? serverOf(call.url).replace(/^https/i, 'http')
    : serverOf(call.url).replace(/^http/i, 'https')

export const connectionMistakes: readonly Mistake<FailedCall>[] = [
  {
    name: 'nothing-listens',
    lineFor: onlyCode(
      /^ECONNREFUSED$/,
      ({ url }) =>
        `nothing listens at ${serverOf(url)}: start your service, or name its address with --subject <url>`,
    ),
  },
  {
    name: 'unknown-host-name',
    lineFor: onlyCode(
      /^(ENOTFOUND|EAI_AGAIN)$/,
      ({ url }) =>
        `the host name of ${serverOf(url)} is unknown to this machine: correct --subject <url>`,
    ),
  },
  {
    name: 'host-out-of-reach',
    lineFor: onlyCode(
      /^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL|EHOSTDOWN)$/,
      ({ url }) =>
        `${serverOf(url)} cannot be reached from this machine: correct --subject <url>, or open the way (firewall, VPN, container network)`,
    ),
  },
  {
    name: 'answers-too-late',
    clauses: ['LIM-UND-02'],
    lineFor: onlyCode(/^TIMEOUT$/, (call, message) =>
      call.row?.webhook === undefined
        ? `${message} to ${callText(call)}: answer sooner, or allow more with conduct.answerTimeout`
        : `${message} to ${callText(call)}: store the event, answer 2xx at once, and do the work afterwards; the event comes again`,
    ),
  },
  {
    name: 'tls-to-plain-http',
    clauses: ['TRN-CON-02'],
    lineFor: onlyCode(/^(EPROTO|ERR_SSL_)/, (call) =>
      isHttps(call)
        ? `${serverOf(call.url)} does not speak TLS, so https fails: start with --subject ${otherScheme(call)}, or serve TLS there`
        : undefined,
    ),
  },
  {
    name: 'certificate-of-unknown-authority',
    clauses: ['TRN-CON-02'],
    lineFor: onlyCode(
      /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/,
      ({ url }) =>
        `the certificate of ${serverOf(url)} comes from an authority that is not trusted here: name the file of the authority in subject.ca of the configuration`,
    ),
  },
  {
    name: 'certificate-for-another-name',
    clauses: ['TRN-CON-02'],
    lineFor: onlyCode(
      /^(ERR_TLS_CERT_ALTNAME_INVALID|CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/,
      ({ url }, message) =>
        `the certificate of ${serverOf(url)} is not valid for this call: ${message}`,
    ),
  },
  {
    name: 'headers-too-large',
    clauses: ['TRN-CON-01'],
    lineFor: onlyCode(
      /^HPE_HEADER_OVERFLOW$/,
      (call) =>
        `the headers of your answer to ${callText(call)} are over ${maxHeaderText}: send fewer, or shorter ones`,
    ),
  },
  {
    name: 'no-http',
    clauses: ['TRN-CON-01'],
    // The first bytes of TLS are no status line; what fails behind that line is HTTP, and broken.
    lineFor: onlyCode(/^HPE_/, (call, message) =>
      call.failure?.code === 'HPE_INVALID_CONSTANT'
        ? `${serverOf(call.url)} answers something that is no HTTP/1.1: if it speaks TLS, start with --subject ${otherScheme(call)}`
        : `the answer to ${callText(call)} is no valid HTTP/1.1: ${message}`,
    ),
  },
  {
    name: 'connection-closed',
    lineFor: onlyCode(/^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/, (call, message) => {
      if (message.startsWith(keptConnection))
        return `your service closed a kept connection without an answer to ${callText(call)}: see its log for a crash; if it closes idle connections, let it keep them for longer than the pause between two calls`
      const tls = isHttps(call)
        ? ''
        : `; if it speaks TLS, start with --subject ${otherScheme(call)}`
      return `your service closed the connection without an answer to ${callText(call)}: see its log for a crash${tls}`
    }),
  },
  {
    name: 'no-token',
    lineFor: onlyCode(/^NO_TOKEN$/, (_call, message) => message),
  },
]
