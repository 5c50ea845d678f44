/**
 * Reads names by their words, whatever their spelling and language: `senhaAtual`, `SENHA_ATUAL`, `senhaatual`,
 * `current-password` and `contraseña actual` all hold `password` and `current`. The one table of spellings: classes of
 * redaction name their keys in its words.
 */
import { memoise } from '../memoise.ts'

/** A word, and how it is spelled in English, Portuguese and Spanish; lower case, without accents. */
const spellings: Readonly<Record<string, string>> = {
  // Secrets.
  key: 'keys chave chaves clave claves llave llaves',
  access: 'acesso acceso',
  token: 'tokens tok tkn',
  password:
    'passwords passwd passw pwd pswd psw pword passphrase passphrases passcode senha senhas contrasena ' +
    'contrasenas contrasenha',
  secret: 'secrets secreto secretos secreta secretas segredo segredos',
  private: 'privada privado privadas',
  signature: 'signatures',
  assinatura: 'assinaturas firma firmas',
  cookie: 'cookies',
  credential: 'credentials credencial credenciais credenciales creds',
  authorization: 'authorisation authorizations autorizacao autorizacion',
  authentication: 'auth authn oauth autenticacao autenticacion',
  session: 'sessions sessao sesion sid aspxauth',
  security: 'seguranca seguridad',
  verification: 'verificacao verificacion verify',
  activation: 'activate ativacao activacion ativar activar',
  unlock: 'desbloqueio desbloqueo',
  recovery: 'recover recuperacao recuperacion redefinicao restablecimiento reset',
  answer: 'answers resposta respostas respuesta respuestas',
  validation: 'validacao validacion',
  confirmation: 'confirm confirmacao confirmacion',
  encryption: 'encrypt criptografia criptografica cifrado cifrada cifragem',
  signing: 'sign',
  integration: 'integracao integracion',
  subscription: 'subscricao suscripcion',
  shared: 'compartilhada compartilhado compartida compartido',
  master: 'mestra mestre maestra maestro',
  // What is said about them and tells nothing of them.
  type: 'types tipo tipos kind',
  expiry:
    'expires expire expiration expira expiracao expiracion vencimento vencimiento validade ' +
    'validez vigencia ttl',
  size: 'length tamanho tamano comprimento',
  format: 'formato',
  method: 'methods metodo metodos',
  algorithm: 'algoritmo alg',
  count: 'counts counter quantity qty quantidade cantidad qtd',
  limit: 'limits limite limites max min maximo minimo',
  version: 'versao',
  policy: 'politica',
  status: 'estado situacao',
  required: 'obrigatorio obrigatoria requerido requerida',
  enabled: 'disabled ativo ativa active activo activa habilitado habilitada',
  valid: 'invalid valida valido invalida invalido',
  id: 'ids',
  url: 'urls uri uris link links href endpoint endpoints',
  time: 'times tempo tiempo hora horario',
  issuer: 'emissor emisor',
  scope: 'scopes escopo',
  provider: 'provedor proveedor',
  error: 'errors erro erros',
  description: 'descricao descripcion',
  title: 'titulo',
  label: 'labels rotulo etiqueta',
  prefix: 'prefixo prefijo suffix sufixo',
  consent: 'consentimento',
  domain: 'dominio',
  path: 'paths caminho',
  field: 'fields campo campos',
  header: 'headers cabecalho',
  used: 'usado usada usage',
  // Kinds of keys that open nothing.
  public: 'publica publico',
  primary: 'primaria primario',
  foreign: 'estrangeira',
  routing: 'roteamento',
  idempotency: 'idempotencia idempotent',
  invoice: 'nota nfe nfce cte sat danfe fiscal',
  // People, and what is known of them.
  person:
    'customer customers cliente clientes client clients consumer consumers consumidor ' +
    'consumidores recipient recipients receiver destinatario destinatarios courier couriers ' +
    'entregador entregadores repartidor deliveryman deliveryperson driver drivers motorista ' +
    'motoboy rider riders waiter garcom mesero attendant atendente lead leads user users usuario ' +
    'usuarios payer holder cardholder guest guests people persona pessoa pessoas author autor ' +
    'reviewer buyer comprador owner responsible responsavel responsable employee ' +
    'empleado funcionario operator operador pagador titular',
  contact: 'contacts contato contatos contacto contactos',
  name: 'names nome nomes nombre nombres',
  first: 'primeiro primer primero',
  last: 'ultimo',
  full: 'completo completa',
  surname: 'sobrenome apellido apellidos',
  nickname: 'apelido apodo',
  forename: 'given prenome',
  family: 'familia',
  mother: 'mae madre',
  email: 'emails mail mails correo',
  phone:
    'phones telephone telephones telefone telefones telefono telefonos fone celular cel ' +
    'cellphone cell tel whatsapp wpp msisdn',
  mobile: 'movel movil',
  landline: 'fixo fixa fijo fija',
  number: 'numbers numero numeros num nro',
  document: 'documents documento documentos doc docs',
  identity: 'identidade identidad',
  identification: 'identificacao identificacion',
  national: 'nacional',
  tax: 'taxpayer tributario',
  cpf: 'cpfs',
  cnpj: 'cnpjs',
  dni: 'cuit cuil curp',
  passport: 'passaporte pasaporte',
  birth: 'nascimento nacimiento born birthday dob aniversario',
  date: 'data fecha',
  details:
    'detail detalhe detalhes detalle detalles dados datos info infos informacao informacion information',
  month: 'mes',
  year: 'ano',
  address: 'addresses addr endereco enderecos direccion direcciones domicilio',
  street: 'rua calle logradouro',
  complement: 'complemento',
  reference: 'ref refs referencia',
  point: 'ponto punto',
  apartment: 'apartamento apto',
  door: 'porta puerta',
  gate: 'portao',
  line: 'linha linea',
  zip: 'cep zipcode postcode',
  lastfour: 'last4',
  latitude: 'lat',
  longitude: 'lng lon long',
  coordinate: 'coordinates coordenada coordenadas',
  photo: 'photos foto fotos picture pictures avatar selfie',
  placa: 'matricula',
  licence: 'license licenca licencia',
  vehicle: 'veiculo vehiculo',
  note: 'notes',
  remark: 'remarks',
  comment: 'comments comentario comentarios',
  instruction: 'instructions instrucao instrucoes instruccion instrucciones',
  observation: 'observations observacao observacoes observacion observaciones obs',
  special: 'especial especiais',
  // Cards, codes, and where they are asked for.
  card: 'cards cartao cartoes tarjeta tarjetas',
  credit: 'credito',
  debit: 'debito',
  code: 'codes codigo codigos',
  cvv: 'cvc cvn',
  otp: 'totp',
  factor: 'mfa 2fa twofa twofactor',
  delivery: 'entrega',
  pickup: 'retirada recogida',
  collect: 'collection coleta recoleccion',
  handover: 'handoff',
  locker: 'armario',
  // Words that stand beside the others.
  current: 'atual actual',
  new: 'nova novo nueva nuevo',
  old: 'antiga antigo anterior',
  app: 'application aplicacao aplicativo aplicacion',
  merchant: 'merchants loja lojas store stores tienda restaurant restaurante',
  partner: 'parceiro parceira socio',
  service: 'servico servicio',
  account: 'conta cuenta',
  system: 'sistema',
  company: 'empresa',
  billing: 'cobranca facturacion',
  home: 'residencial',
  work: 'comercial',
  main: 'principal',
  secondary: 'secundario secundaria',
  shipping: 'envio',
  electronic: 'eletronico electronico',
  webhook: 'webhooks',
  server: 'servidor',
  csrf: 'xsrf',
  hash: 'hashed',
  kitchen: 'cozinha cocina',
  event: 'events evento eventos',
  order: 'orders pedido pedidos',
  product: 'products produto produtos producto productos',
  item: 'items itens',
  // Other things of a business, and what is said of them.
  option: 'options opcao opcoes opcion opciones',
  menu: 'menus cardapio cardapios',
  category: 'categories categoria categorias',
  program: 'programs programa programas',
  reward: 'rewards recompensa recompensas',
  tier: 'tiers',
  badge: 'badges',
  coupon: 'coupons cupom cupons cupon cupones',
  fee: 'fees taxa taxas',
  discount: 'discounts desconto descontos descuento descuentos',
  capability: 'capabilities',
  brand: 'brands marca marcas',
  chain: 'chains',
  participant: 'participants participante participantes',
  catalog: 'catalogs catalogue catalogo catalogos',
  price: 'prices preco precos precio precios',
  value: 'values amount valor valores monto montante',
  unit: 'units unidade unidad',
  sku: 'plu',
  barcode: 'ean gtin',
  protocol: 'protocolo',
  sequence: 'seq sequencia secuencia',
  tracking: 'rastreio rastreamento seguimiento',
  batch: 'lote lotes',
  external: 'externo externa',
}

/** Words that are spelled alike in all three. */
const internationalWords = (
  'sort partition cache surrogate websocket middle social vat rg cnh ssn postal base64 plate pin ' +
  'pix api digital aws google admin refresh bearer jwt hmac sha pass pat sk magic verifier zap'
).split(' ')

/** Words that only look as if they were made of others: `resenha` is a review. */
const wholeWords = new Set(
  (
    'resenha resenhas desenha keyboard keypad keynote keyword keywords hashtag hashtags passenger ' +
    'passengers passage compass author authors secretary secretaria secretario confirma confirmado ' +
    'autoclave enclave microphone headphone headphones tokenize tokenized tokenization tokenizado ' +
    'chaveiro chaveiros passwordless accessory accessories accessibility signal design hotkey ' +
    'turnkey database pinpad'
  ).split(' '),
)

/** Between words: they say nothing. */
const connectors = new Set(
  'de da do das dos na nas del la las el los of the para por for y e x'.split(' '),
)

const wordBySpelling = new Map<string, string>()
for (const word of internationalWords) wordBySpelling.set(word, word)
for (const [word, others] of Object.entries(spellings))
  for (const spelling of [word, ...others.split(' ')]) wordBySpelling.set(spelling, word)

/** What a name in one piece may end with, behind words that are not in the table: `acmetoken`. */
const knownEndings = (
  'passphrase contrasena accesskey secretkey privatekey password signature telephone endereco ' +
  'telefone sobrenome nascimento cookies segredo address secrets apikey surname nickname cookie ' +
  'secret tokens emails senha token passwd phone email cnpj cpf'
).split(' ')

const longestSpelling = 16
const longestPiece = 48

/** The least number of words of the table that a piece consists of; undefined when others are in it. */
function divide(piece: string): readonly string[] | undefined {
  const best: (readonly string[] | undefined)[] = [[]]
  for (let end = 1; end <= piece.length; end++)
    for (let from = Math.max(0, end - longestSpelling); from < end; from++) {
      const before = best[from]
      const found = best[end]
      if (!before || (found && found.length <= before.length + 1)) continue
      const part = piece.slice(from, end)
      if (part.length > 2 ? wordBySpelling.has(part) : isShortPart(piece, from, part))
        best[end] = [...before, part]
    }
  return best[piece.length]
}

/** `tokenid`, `chavedeacesso`: two letters are a word at the end, or between others. */
const isShortPart = (piece: string, from: number, part: string): boolean =>
  from > 2 &&
  (from + part.length === piece.length
    ? part === 'id' || part === 'ip'
    : part.length === 2 && connectors.has(part))

/** And what it may begin with: `senhaportal`. */
const knownBeginnings = 'passphrase contrasena password segredo senha token chave'.split(' ')

function divideAtEnds(piece: string): readonly string[] {
  const ending = knownEndings.find((each) => piece.length > each.length && piece.endsWith(each))
  if (ending !== undefined) return [piece.slice(0, -ending.length), ...(divide(ending) ?? [])]
  const beginning = knownBeginnings.find((each) => piece.startsWith(each))
  return beginning === undefined ? [piece] : [beginning, piece.slice(beginning.length)]
}

function spelledIn(piece: string): readonly string[] {
  if (wordBySpelling.has(piece) || wholeWords.has(piece) || piece.length > longestPiece)
    return [piece]
  return divide(piece) ?? divideAtEnds(piece)
}

/** `e-mail`, `pass_word`, `zipCode`: one word that is written as two. */
function joinHalves(pieces: readonly string[]): readonly string[] {
  const joined: string[] = []
  for (const piece of pieces) {
    const whole = `${joined.at(-1) ?? ''}${piece}`
    if (joined.length > 0 && whole !== piece && writtenApart.has(whole)) joined.splice(-1, 1, whole)
    else joined.push(piece)
  }
  return joined
}

const writtenApart = new Set(
  'email emails password passphrase passcode postcode nickname birthday webhook websocket nfe nfce twofactor taxpayer'.split(
    ' ',
  ),
)

/** Without accents; full-width letters become plain ones. */
const withoutAccents = (name: string): string => name.normalize('NFKD').replaceAll(/\p{M}/gu, '')

/**
 * The words of a name in order, those of the table in its spelling; counters and connectors are left out. `SenhaAtual2`
 * is `password`, `current`.
 */
export const nameWords = memoise(2000, (name): readonly string[] => {
  const pieces = withoutAccents(name)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((piece) => (wordBySpelling.has(piece) ? piece : piece.replaceAll(/^\d+|\d+$/g, '')))
    .filter((piece) => piece !== '')
  return joinHalves(pieces)
    .flatMap(spelledIn)
    .filter((part) => !connectors.has(part))
    .map((part) => wordBySpelling.get(part) ?? part)
})
