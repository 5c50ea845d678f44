// The requests of a recording, a line each.
import { existsSync, readFileSync } from 'node:fs'

const [, , file] = process.argv
const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
for (const { request } of lines.map((line) => JSON.parse(line))) {
  if (!request) continue
  const headers = request.headers.map(({ name, value }) => `${name}: ${value}`)
  console.log(
    [request.method, request.url, ...headers, request.postData?.text].filter(Boolean).join(' | '),
  )
}
