# The image of Stoa: one program in a small Debian. docs/operate/deploy.md says how to run it.

FROM rust:1.95-slim-trixie AS build
# The toolchain of the image is the one that rust-toolchain.toml names; nothing has to be fetched.
ENV RUSTUP_TOOLCHAIN=1.95.0
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target \
    cargo build --profile dist --locked --package stoa-commerce \
    && cp target/dist/stoa /usr/local/bin/stoa

FROM debian:trixie-slim
# Certificate authorities for outbound HTTPS and PostgreSQL over TLS; `pg_dump` and `psql` for `stoa backup` and `restore`.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates postgresql-client \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 stoa \
    && useradd --uid 10001 --gid stoa --no-create-home --home-dir /var/lib/stoa --shell /usr/sbin/nologin stoa \
    && install --directory --owner=stoa --group=stoa --mode=750 /var/lib/stoa
COPY --from=build /usr/local/bin/stoa /usr/local/bin/stoa

ENV STOA_SERVER__LISTEN=0.0.0.0:8080
USER stoa
# Configuration, database, media and key; the only place that is written to.
WORKDIR /var/lib/stoa
VOLUME /var/lib/stoa
EXPOSE 8080

# Asks the running server, without any program besides the shell.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /health/ready HTTP/1.0\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]

ENTRYPOINT ["stoa"]
CMD ["serve"]
