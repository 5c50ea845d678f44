/** Network addresses and device identifiers. */
import { defineClass, replaceByMark } from '../class.ts'
import { isPlaceholder } from '../pseudonyms.ts'

const v4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/

/** Loopback and private addresses identify no person and stay. */
const isPrivate = (first: number, second: number): boolean =>
  first === 127 ||
  first === 10 ||
  first === 0 ||
  (first === 192 && second === 168) ||
  (first === 172 && second >= 16 && second < 32)

export const network = defineClass({
  id: 'network',
  covers: 'IP addresses; an address from 240.0.0.0/4, which no machine has',
  keys: ['ip', 'ip address', 'client ip', 'remote ip', 'source ip', 'remote address'],
  replace: (value, { pseudonyms }) => {
    const parts = v4.exec(value.trim())
    if (!parts)
      return value === '' || isPlaceholder(value) || value === '::1' || value === 'localhost'
        ? value
        : pseudonyms.mark('net', 'network', value.toLowerCase())
    const first = Number(parts[1])
    if (first >= 240 || isPrivate(first, Number(parts[2]))) return value
    const drawn = pseudonyms.below('network', value.trim(), 2 ** 28)
    const bytes = [240 + (drawn >>> 24), (drawn >>> 16) & 255, (drawn >>> 8) & 255, drawn & 255]
    return bytes.join('.')
  },
})

export const device = defineClass({
  id: 'device',
  covers: 'identifiers of devices; `~dev_` and ten letters',
  keys: [
    'device id',
    'imei',
    'idfa',
    'gaid',
    'advertising id',
    'android id',
    'mac address',
    'udid',
  ],
  replace: replaceByMark('dev', 'device'),
})
