/**
 * The forms of a signature (`conduct.signature`), a row each: the document fixes none, and partners differ. What is
 * sent, verified, replayed, hinted and documented is derived from the row.
 */

export interface SignatureForm {
  /** As documents write it. */
  readonly header: string
  readonly algorithm: 'hmac-sha256' | 'md5'
  /** What is signed: the raw body of a webhook, or URL, query and body of every request but that for a token. */
  readonly over: 'body' | 'request'
  readonly encoding: 'hex' | 'hex-upper' | 'base64' | 'base64url'
  readonly prefix: string
}

const hmac = (
  encoding: SignatureForm['encoding'],
  over: SignatureForm['over'] = 'body',
): SignatureForm => ({
  header: 'X-App-Signature',
  algorithm: 'hmac-sha256',
  over,
  encoding,
  prefix: '',
})

export const signatureForms = {
  'hmac-sha256-hex': hmac('hex'),
  'hmac-sha256-hex-upper': hmac('hex-upper'),
  'hmac-sha256-base64': hmac('base64'),
  'hmac-sha256-request-base64': hmac('base64', 'request'),
  'md5-hex': {
    header: 'didi-header-sign',
    algorithm: 'md5',
    over: 'body',
    encoding: 'hex',
    prefix: '',
  },
  none: undefined,
} as const satisfies Readonly<Record<string, SignatureForm | undefined>>
export type SignatureName = keyof typeof signatureForms

export const signatureNames = Object.keys(signatureForms) as [SignatureName, ...SignatureName[]]

/** Whether a webhook carries a token: always, where its receiver offers one, or never. */
export const webhookAccesses = ['auto', 'bearer', 'signature'] as const
export type WebhookAccess = (typeof webhookAccesses)[number]

/** The options on how a webhook proves who sends it. */
export interface WebhookProof {
  readonly signature: SignatureName
  readonly webhookAccess: WebhookAccess
}

export const signatureFormOf = ({
  signature,
}: Pick<WebhookProof, 'signature'>): SignatureForm | undefined => signatureForms[signature]

/** The first form with this header, in lower case. */
export const formOfHeader = (header: string): SignatureForm | undefined =>
  Object.values(signatureForms).find((form) => form?.header.toLowerCase() === header)

/** The headers of signatures, in lower case. */
export const signatureHeaders: readonly string[] = [
  ...new Set(Object.values(signatureForms).flatMap((form) => form?.header.toLowerCase() ?? [])),
]

/** Without a signature the token is all that proves who sends a webhook. */
export const webhookAccessOf = ({ signature, webhookAccess }: WebhookProof): WebhookAccess =>
  signature === 'none' ? 'bearer' : webhookAccess

const encodingText: Readonly<Record<SignatureForm['encoding'], string>> = {
  hex: 'in hexadecimal',
  'hex-upper': 'in upper-case hexadecimal',
  base64: 'in Base64',
  base64url: 'in Base64 of URLs',
}

/** What a signature is made of; `secret` says whose secret is the key. */
export function signatureMaking(
  { algorithm, over, encoding }: SignatureForm,
  secret: string,
): string {
  const written = encodingText[encoding]
  if (algorithm === 'md5') return `MD5 of the raw body followed by ${secret}, ${written}`
  const signed =
    over === 'body'
      ? 'the raw body'
      : 'the URL without its query, the sorted query and the canonical body (RFC 8785), those that are not empty, joined by &,'
  return `HMAC-SHA256 of ${signed} ${written}, with ${secret} as its key`
}

export const signatureSentence = (form: SignatureForm, secret: string): string =>
  `${form.header} is the ${signatureMaking(form, secret)}`
