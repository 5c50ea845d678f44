/**
 * Writes presigned URLs of a bucket for a campaign: put.txt, to which each shard uploads, and get.txt, from which they are merged.
 * AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… AWS_REGION=… node presign.ts <url of a folder> <shards> [hours] [folder]
 */
import { createHash, createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { argv, env, exit } from 'node:process'

export interface PresignOptions {
  readonly method: 'GET' | 'PUT'
  readonly url: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string | undefined
  readonly region: string
  /** Seconds for which it holds; a week at most. */
  readonly expires: number
  readonly now: Date
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const keyedHash = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

/** As AWS Signature Version 4 encodes. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** AWS Signature Version 4 in the query, which S3 and what speaks like it take. */
export function presignedUrl(options: PresignOptions): string {
  const { method, accessKeyId, secretAccessKey, sessionToken, region, expires, now } = options
  const { origin, host, pathname } = new URL(options.url)
  const path = decodeURIComponent(pathname).split('/').map(encoded).join('/')
  const time = now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const day = time.slice(0, 8)
  const scope = `${day}/${region}/s3/aws4_request`
  const parameters = {
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${accessKeyId}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(expires),
    ...(sessionToken === undefined ? {} : { 'X-Amz-Security-Token': sessionToken }),
    'X-Amz-SignedHeaders': 'host',
  }
  const query = Object.entries(parameters)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .join('&')
  const request = [method, path, query, `host:${host}`, '', 'host', 'UNSIGNED-PAYLOAD'].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(
    (before, part) => keyedHash(before, part),
    `AWS4${secretAccessKey}`,
  )
  const text = ['AWS4-HMAC-SHA256', time, scope, hashOf(request)].join('\n')
  const signature = keyedHash(key, text).toString('hex')
  return `${origin}${path}?${query}&X-Amz-Signature=${signature}`
}

function fail(message: string): never {
  console.error(`presign: ${message}`)
  return exit(2)
}

function writeUrls(): void {
  const [folder = '', shardsText = '', hoursText = '24', place = '.'] = argv.slice(2)
  const [shards, hours] = [Number(shardsText), Number(hoursText)]
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION } = env
  if (!/^https?:\/\//.test(folder) || !URL.canParse(folder))
    fail(`"${folder}" is no URL. Write https://bucket.s3.eu-central-1.amazonaws.com/campaign-7.`)
  if (!Number.isInteger(shards) || shards < 1 || shards > 100_000)
    fail(`"${shardsText}" is no number of shards. Write 8.`)
  if (!(hours > 0 && hours <= 168)) fail(`"${hoursText}" is no number of hours. Write 1 to 168.`)
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
    fail('there are no credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  const common = {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    sessionToken: AWS_SESSION_TOKEN,
    region: AWS_REGION ?? 'us-east-1',
    expires: Math.round(hours * 3600),
    now: new Date(),
  }
  for (const method of ['PUT', 'GET'] as const) {
    const urls = Array.from({ length: shards }, (_, index) =>
      presignedUrl({
        ...common,
        method,
        url: `${folder.replace(/\/+$/, '')}/shard-${index + 1}.ndjson`,
      }),
    )
    // They are secrets: who has them can write.
    const file = join(place, `${method.toLowerCase()}.txt`)
    writeFileSync(file, `${urls.join('\n')}\n`, { mode: 0o600 })
  }
  console.log(`put.txt and get.txt hold ${shards} URLs each, for ${hours} hours`)
}

if (import.meta.main) writeUrls()
