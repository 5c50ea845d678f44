// Writes a line for each webhook, made by the function in the second argument, until it is ended.
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'

const digest = (body) => createHmac('sha256', 'secret').update(body).digest()
const lineOf = {
  signature({ headers }, body) {
    const made = digest(body)
    const signature = headers['x-app-signature'] ?? 'none'
    const forms = {
      hex: made.toString('hex'),
      'hex in capitals': made.toString('hex').toUpperCase(),
      base64: made.toString('base64'),
      'hex behind sha256=': `sha256=${made.toString('hex')}`,
    }
    return Object.keys(forms).find((form) => forms[form] === signature) ?? signature
  },
  times(_, body) {
    const { createdAt, orderCreatedAt } = JSON.parse(body)
    const isBefore = Date.parse(orderCreatedAt) <= Date.parse(createdAt)
    return `${isBefore ? 'before' : 'AFTER'}, ${Date.parse(createdAt) <= Date.now() + 5 ? 'past' : 'FUTURE'}`
  },
}[process.argv[3]]
createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (piece) => (body += piece))
  request.on('end', () => {
    if (request.method === 'POST' && request.url.includes('webhook'))
      console.log(lineOf(request, body))
    response.writeHead(204).end()
  })
}).listen(Number(process.argv[2]), '127.0.0.1')
