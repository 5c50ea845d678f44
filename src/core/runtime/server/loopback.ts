/** Whether a host name or an address is a loopback one. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  return name === 'localhost' || name === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(name)
}

/** Whether a server at the address is reached at every address of its machine. */
export const isWildcard = (host: string): boolean => host === '0.0.0.0' || host === '::'

/** The URL of a listening address and port; for the wildcard addresses, that of the loopback address. */
export function listenUrl(host: string, port: number, scheme: 'http' | 'https' = 'http'): string {
  if (host === '0.0.0.0') return `${scheme}://127.0.0.1:${port}`
  if (host === '::') return `${scheme}://[::1]:${port}`
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
