/**
 * Connections on which no HTTP request came: TLS on one side only, a certificate that is not trusted, something else.
 */
import { boundedLine } from '../../../traffic/stated-reason.ts'
import { diagnose, type Mistake } from '../mistake.ts'

export interface UnparsedRequest {
  /** The code of the parser's or the handshake's error. */
  readonly code: string
  readonly message: string
  /** Whether what came begins as a TLS handshake does. */
  readonly isHandshake: boolean
  /** The base URL of the server. */
  readonly url: string
}

const mistakes: readonly Mistake<UnparsedRequest>[] = [
  {
    name: 'https-to-http',
    clauses: ['TRN-CON-02'],
    lineFor: ({ isHandshake, url }) =>
      isHandshake && url.startsWith('http:')
        ? `your service calls https, and plain HTTP is spoken here: use ${url} as its base URL, or start with --tls`
        : undefined,
  },
  {
    name: 'http-to-https',
    clauses: ['TRN-CON-02'],
    lineFor: ({ code, url }) =>
      code === 'ERR_SSL_HTTP_REQUEST'
        ? `your service calls plain HTTP, and TLS is spoken here: use ${url} as its base URL, or start without --tls`
        : undefined,
  },
  {
    name: 'certificate-refused',
    clauses: ['TRN-CON-02'],
    lineFor: ({ code }) =>
      /ALERT_(UNKNOWN_CA|CERTIFICATE_UNKNOWN|BAD_CERTIFICATE|CERTIFICATE_EXPIRED)/.test(code)
        ? 'your service does not trust our certificate: have it trust the authority that was named at the start (NODE_EXTRA_CA_CERTS=<file> for Node, --cacert for curl)'
        : undefined,
  },
]

/** Why no request could be read. */
export const unparsedReason = (unparsed: UnparsedRequest): string =>
  boundedLine(diagnose(mistakes, unparsed) ?? unparsed.message)
