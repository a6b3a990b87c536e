-- TLS over sockets, for programs that wrk's LuaJIT runs, by the library that wrk has for it. It checks no certificate, as wrk
-- does: the driver has made one handshake that does.
local ffi = require("ffi")
local C = ffi.C

ffi.cdef([[
  void *TLS_client_method(void);
  void *TLS_server_method(void);
  void *SSL_CTX_new(const void *);
  long SSL_CTX_ctrl(void *, int, long, void *);
  int SSL_CTX_set_cipher_list(void *, const char *);
  void *SSL_new(void *);
  int SSL_set_fd(void *, int);
  void SSL_set_accept_state(void *);
  void SSL_set_connect_state(void *);
  int SSL_do_handshake(void *);
  int SSL_read(void *, void *, int);
  int SSL_write(void *, const void *, int);
  int SSL_has_pending(const void *);
  int SSL_get_error(const void *, int);
  void SSL_free(void *);
  void ERR_clear_error(void);
  int fcntl(int, int, ...);
  void (*signal(int, void (*)(int)))(int);
]])

-- A part of what is written may be taken, and the rest is written from elsewhere; several records are read at once.
local MODE, PARTS_FROM_ANYWHERE, READ_AHEAD = 33, 3, 41
local WANTS_READ, WANTS_WRITE = 2, 3
local SET_FLAGS, NONBLOCK = 4, ffi.os == "OSX" and 4 or 2048
-- Ciphers without a certificate, for both ends of a connection with itself.
local ANONYMOUS = "AECDH-AES128-SHA:ADH-AES128-SHA:@SECLEVEL=0"
local VERSION_MOST, TLS_1_2 = 124, 0x303

local tls = {}

-- The library's writes would end the program where the other end has gone.
local function ignore_broken_pipes() C.signal(13, ffi.cast("void (*)(int)", 1)) end

local function context(method, ciphers)
  ignore_broken_pipes()
  local made = C.SSL_CTX_new(method)
  C.SSL_CTX_ctrl(made, MODE, PARTS_FROM_ANYWHERE, nil)
  C.SSL_CTX_ctrl(made, READ_AHEAD, 1, nil)
  if ciphers then
    C.SSL_CTX_ctrl(made, VERSION_MOST, TLS_1_2, nil)
    C.SSL_CTX_set_cipher_list(made, ciphers)
  end
  return made
end

local function session(of, fd)
  C.fcntl(fd, SET_FLAGS, ffi.cast("int", NONBLOCK))
  local made = C.SSL_new(of)
  C.SSL_set_fd(made, fd)
  return made
end

-- Returns a client's session over a connected socket, which waits for nothing from now on.
local clients
function tls.client(fd)
  clients = clients or context(C.TLS_client_method())
  local made = session(clients, fd)
  C.SSL_set_connect_state(made)
  return made
end

-- True while what was tried has to wait for the other end; false once it cannot be done.
local function waits(one, result)
  local why = C.SSL_get_error(one, result)
  if why == WANTS_READ or why == WANTS_WRITE then return true end
  C.ERR_clear_error()
  return false
end

-- Goes on with a handshake. Returns true once it is through, false if it failed; nothing while it waits.
function tls.shake(one)
  local result = C.SSL_do_handshake(one)
  if result == 1 then return true end
  if not waits(one, result) then return false end
end

-- Returns the sessions of both ends of a connection with itself; nothing where the library has no cipher for that.
local ends
function tls.pair(near, far)
  ends = ends or { context(C.TLS_client_method(), ANONYMOUS), context(C.TLS_server_method(), ANONYMOUS) }
  local client, server = session(ends[1], near), session(ends[2], far)
  C.SSL_set_connect_state(client)
  C.SSL_set_accept_state(server)
  for _ = 1, 10 do
    local here, there = tls.shake(client), tls.shake(server)
    if here == false or there == false then break end
    if here and there then return client, server end
  end
  tls.close(client)
  tls.close(server)
end

-- Reads all that has come, up to a length. Returns how many bytes; -1 if none have come, 0 if none will.
function tls.read(one, to, length)
  local got = 0
  repeat
    local more = C.SSL_read(one, to + got, length - got)
    if more <= 0 then
      local is_open = waits(one, more)
      return got > 0 and got or is_open and -1 or 0
    end
    got = got + more
  until got == length or C.SSL_has_pending(one) == 0
  return got
end

-- Writes bytes. Returns how many were taken, which may be none; -1 if none will be.
function tls.write(one, from, length)
  local sent = C.SSL_write(one, from, length)
  if sent > 0 then return sent end
  return waits(one, sent) and 0 or -1
end

function tls.close(one) C.SSL_free(one) end

return tls
