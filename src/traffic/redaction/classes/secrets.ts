/** Tokens, secrets and signatures. Recorded ones are never sent again, so only their identity matters. */
import { defineClass } from '../class.ts'
import { isPlaceholder } from '../pseudonyms.ts'
import { isJwt, redactJwt } from '../jwt.ts'

export const token = defineClass({
  id: 'token',
  covers: 'access, refresh and identity tokens, session ids and cookies; `~tok_` and ten letters',
  keys: ['authorization', 'sessionid', 'jsessionid', 'phpsessid', 'jwt', 'bearer', 'tokenvalue'],
  endings: ['token', 'tokens', 'assertion', 'cookie', 'cookies'],
  includesMembers: true,
  replace: (value, tools) => {
    if (value === '' || isPlaceholder(value)) return value
    const scheme = /^(?:Bearer|Basic|Digest|Token) +/i.exec(value)?.[0] ?? ''
    const bare = value.slice(scheme.length)
    if (isPlaceholder(bare)) return value
    return (
      scheme + (isJwt(bare) ? redactJwt(bare, tools) : tools.pseudonyms.mark('tok', 'token', bare))
    )
  },
})

export const secret = defineClass({
  id: 'secret',
  covers:
    'client secrets, passwords, keys, one-time and authorization codes; `~sec_` and ten letters',
  keys: [
    'pin',
    'otp',
    'totp',
    'pwd',
    'credential',
    'credentials',
    'authorizationcode',
    'codeverifier',
    'passwordconfirmation',
    'secretvalue',
  ],
  endings: [
    'secret',
    'secrets',
    'password',
    'passwd',
    'passphrase',
    'senha',
    'apikey',
    'privatekey',
    'secretkey',
    'secretaccesskey',
    'signingkey',
    'encryptionkey',
    'subscriptionkey',
  ],
  keysIn: { auth: ['code'] },
  includesMembers: true,
  replace: (value, { pseudonyms }) =>
    value === '' || isPlaceholder(value) ? value : pseudonyms.mark('sec', 'secret', value),
})

export const signature = defineClass({
  id: 'signature',
  covers: 'signatures of webhooks; `~sig_` and ten letters',
  keys: ['hmac'],
  endings: ['signature'],
  includesMembers: true,
  replace: (value, { pseudonyms }) =>
    value === '' || isPlaceholder(value) ? value : pseudonyms.mark('sig', 'signature', value),
})
