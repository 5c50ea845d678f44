/** Names of this machine and of tests, where HTTP without TLS is a choice. */

const localNames = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|.*\.(localhost|test|local))$/i

export const isLocalHost = (host: string): boolean => localNames.test(host)
