/** Tells from curl's remarks whether the connection in use is encrypted; the request itself does not say it. */

export interface TraceConnections {
  readonly info: (text: string) => void
  /** Of the next request. */
  readonly scheme: () => 'http:' | 'https:'
}

const maxConnections = 1000
const tlsRemark =
  /\b(?:TLSv1|SSL connection|TLS connect|SSL certificate|Server certificate|schannel)\b|^ALPN|CAfile:|:scheme: https\]/i

export function createTraceConnections(): TraceConnections {
  const secureByNumber = new Map<string, boolean>()
  let isSecure = false

  function info(text: string): void {
    const [, number] = /[Cc]onnection #(\d+)/.exec(text) ?? []
    const [, scheme] =
      /^(?:Re-using existing|Issue another request to this URL: '?)\s*(https?):/.exec(text) ?? []
    if (tlsRemark.test(text)) isSecure = true
    else if (/^\s*Trying /.test(text)) isSecure = false
    else if (scheme !== undefined) isSecure = scheme === 'https'
    else if (number !== undefined && text.startsWith('Re-using'))
      isSecure = secureByNumber.get(number) ?? isSecure
    else if (number !== undefined && text.endsWith(' left intact')) {
      if (secureByNumber.size >= maxConnections) secureByNumber.clear()
      secureByNumber.set(number, isSecure)
    }
  }

  return { info, scheme: () => (isSecure ? 'https:' : 'http:') }
}
