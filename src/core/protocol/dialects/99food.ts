/** 99Food’s V1 (fields.md, 4.6): its own base path, one token per shop. */
import { defineDialect } from './dialect.ts'
import { v1 } from './v1.ts'

export const food99 = defineDialect({
  ...v1,
  name: '99food',
  summary: 'V1 under /v4/opendelivery, one token per shop',
  conduct: {
    ...v1.conduct,
    basePath: '/v4/opendelivery/v1',
    paths: { issueToken: '/v4/opendelivery/oauth/token' },
    answerTimeout: 6000,
  },
  notSettled: [
    'signatures: some clients expect the MD5 of body and secret in didi-header-sign in place of X-App-Signature; conduct.signature: md5-hex sends that',
  ],
  beyond: [
    ...v1.beyond,
    'client ids are {app_id}_{app_shop_id}: configure them as clients',
    'an application that is not allow-listed gets 404 for everything',
    'numeric ids that are longer than a JSON number holds',
  ],
})
