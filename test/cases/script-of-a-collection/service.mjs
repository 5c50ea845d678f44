// Answers every request with 418.
import { createServer } from 'node:http'

createServer((request, response) => {
  request.resume()
  request.on('end', () => response.writeHead(418).end())
}).listen(Number(process.argv[2]), '127.0.0.1')
