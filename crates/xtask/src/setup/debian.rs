//! Installing Debian packages, where we may.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process;

/// Install `packages` with apt-get, as root or through a sudo that asks for no password.
pub(super) fn install(packages: &[&str]) -> Result<()> {
    if process::find("apt-get").is_none() {
        bail!("cannot install packages: this machine has no apt-get");
    }
    let mut update = apt_get()?;
    println!("installing {}", packages.join(" "));
    // The package lists of a fresh container are empty or out of date.
    process::run(update.arg("update")).context("cannot refresh the package lists")?;
    process::run(apt_get()?.args(["install", "--yes", "--no-install-recommends"]).args(packages))
        .context("cannot install packages")
}

/// Unpack packages of another release of Debian for 64-bit PCs into `folder`, without installing them. Their newest
/// version, since a mirror has no other; apt-get checks the signatures.
pub(super) fn unpack(release: &str, packages: &[&str], folder: &Path) -> Result<()> {
    const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
    if process::find("apt-get").is_none() || process::find("dpkg-deb").is_none() || !Path::new(KEYRING).is_file() {
        bail!("cannot fetch packages of Debian: this machine has no apt-get with Debian's keys");
    }
    println!("unpacking {} of Debian {release} into {}", packages.join(" "), folder.display());
    let apt = folder.join("apt");
    for part in ["lists/partial", "cache/archives/partial", "packages"] {
        fs::create_dir_all(apt.join(part)).with_context(|| format!("cannot create {}", apt.display()))?;
    }
    let source = format!("deb [arch=amd64 signed-by={KEYRING}] http://deb.debian.org/debian {release} main\n");
    fs::write(apt.join("sources.list"), source).context("cannot write the list of sources")?;
    fs::write(apt.join("status"), "").context("cannot write the list of packages")?;
    // Everything that apt-get reads and writes lies in the folder: nobody has to be root.
    let apt_get = || {
        let mut command = process::command("apt-get");
        command.current_dir(apt.join("packages")).arg("-qq");
        for (option, value) in [
            ("Dir::Etc::SourceList", apt.join("sources.list").display().to_string()),
            ("Dir::Etc::SourceParts", "/dev/null".to_owned()),
            ("Dir::State::Lists", apt.join("lists").display().to_string()),
            ("Dir::State::Status", apt.join("status").display().to_string()),
            ("Dir::Cache", apt.join("cache").display().to_string()),
            ("APT::Architecture", "amd64".to_owned()),
            ("APT::Architectures", "amd64".to_owned()),
            ("APT::Sandbox::User", "".to_owned()),
            ("Acquire::Languages", "none".to_owned()),
            ("Debug::NoLocking", "true".to_owned()),
        ] {
            command.arg("-o").arg(format!("{option}={value}"));
        }
        command
    };
    process::run(apt_get().arg("update")).context("cannot fetch the package lists")?;
    process::run(apt_get().arg("download").args(packages)).context("cannot fetch packages")?;
    for entry in apt.join("packages").read_dir().context("cannot list the packages")? {
        let package = entry.context("cannot list the packages")?.path();
        process::run(process::command("dpkg-deb").arg("--extract").arg(package).arg(folder))?;
    }
    fs::remove_dir_all(&apt).context("cannot remove the downloads")
}

/// A quiet apt-get that asks nothing and waits for another one to finish.
fn apt_get() -> Result<Command> {
    let mut command = if process::stdout_if_ok(process::command("id").arg("-u")).as_deref() == Some("0") {
        process::command("env")
    } else if process::stdout_if_ok(process::command("sudo").args(["-n", "true"])).is_some() {
        let mut sudo = process::command("sudo");
        sudo.args(["-n", "env"]);
        sudo
    } else {
        bail!("cannot install packages: neither root nor a sudo without password");
    };
    // Through `env`, because sudo drops the variables of its caller.
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", "-o", "DPkg::Lock::Timeout=120"]);
    Ok(command)
}
