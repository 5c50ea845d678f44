/** Names of this machine and of tests, where HTTP without TLS is a choice. */

const localNames = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.*\.(localhost|test|local))$/i

/** An address of this machine without TLS, as of a service that is certified where it is developed. */
export const isLocalPlain = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && localNames.test(hostname)

/** Why a clause about TLS does not come up. */
export const whyWithoutTls =
  'it is certified on this machine without TLS; certify it at its public address'
