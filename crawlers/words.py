"""Words that say what a control or a route is for, in the languages that Apps commonly speak.

They only ever give a first guess (what may be tried, and in which order); what an Action did is read from
its evidence, where words decide only between classes that the evidence leaves open.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

DELETE = """
    delete remove erase destroy trash purge drop wipe discard uninstall
    删除 移除 清除 清空 刪除 löschen entfernen supprimer effacer retirer eliminar borrar quitar excluir
    remover rimuovi elimina 削除 消去 삭제 제거 удалить стереть usuń verwijderen
"""
RESET = """
    clear reset revoke restore rollback empty truncate 重置 恢复 zurücksetzen réinitialiser restablecer
    リセット 초기화 сбросить
"""
LOGOUT = """
    logout logoff signout exit disconnect 退出 登出 注销 abmelden déconnexion déconnecter salir cerrar-sesión
    desconectar ログアウト サインアウト 로그아웃 выйти wyloguj uitloggen esci
"""
ACCOUNT = """
    password passwd mfa deactivate-account close-account change-email 密码 密碼 kennwort passwort
    mot-de-passe contraseña パスワード 비밀번호 пароль
"""
PAY = """
    pay payment checkout purchase buy subscribe donate billing refund transfer-money 支付 付款 购买 結帳
    捐赠 bezahlen kaufen spenden payer acheter donner pagar comprar donar 支払い 購入 寄付 결제 구매
    оплатить купить
"""
MAIL = """
    mail email-to send-mail sendmail invite invitation share-by-mail newsletter remind reminder tweet
    邮件 邀请 郵件 邀請 einladen einladung inviter invitar invitación 招待 초대 пригласить
"""
CREATE = """
    add new create insert register post compose 添加 新增 新建 创建 hinzufügen ajouter añadir 追加 작성 추가
    добавить
"""
UPDATE = """
    edit update save modify change set settings preferences configure rename move reorder toggle archive
    settle approve accept complete finish done close resolve publish assign reactivate activate
    deactivate suspend enable disable 启用 停用 激活 暂停
    编辑 修改 保存 设置 bearbeiten speichern modifier enregistrer editar guardar 編集 変更 변경 저장 изменить
"""
SEARCH = "search query find lookup keyword q 搜索 查找 suche suchen recherche buscar 検索 검색 поиск"
SORT = "sort sortby order orderby order_by dir direction asc desc 排序 sortieren trier ordenar 並べ替え"
LOGIN = """
    login logon signin auth authenticate session 登录 登入 anmelden connexion iniciar-sesión ログイン 로그인
    войти
"""
ERROR = """
    error errors invalid required missing wrong incorrect failed forbidden denied must cannot already
    错误 无效 必填 必须 不能 失败 已存在 有误 fehler ungültig erforderlich erreur invalide obligatoire requis
    inválido obligatorio requerido エラー 無効 必須 오류 필수 ошибка
"""
CANCEL = """
    cancel abort dismiss discard back nevermind 取消 返回 放弃 放棄 abbrechen zurück annuler retour cancelar
    volver annulla キャンセル 戻る 취소 отмена отменить anuluj annuleren
"""
CLOSE = "close dismiss 关闭 關閉 schließen fermer cerrar fechar chiudi 閉じる 닫기 закрыть zamknij sluiten"
MESSAGE = """
    notice notices message messages alert notification warning hint 通知 消息 信息 訊息 提示 警告 hinweis
    meldung benachrichtigung notification avis aviso mensaje mensagem avviso messaggio お知らせ メッセージ
    알림 메시지 уведомление сообщение powiadomienie komunikat melding bericht
"""
HIDE = """
    hide ausblenden verbergen masquer ocultar nascondi 隐藏 隱藏 非表示 숨기기 скрыть ukryj verberg
"""
THIS = """
    this these the all diese diesen den das die le la cet ce este esta el o a questo questa 此 这条 這條 该 本
    該 この を する 이 это эту to deze dit
"""
PREVIEW = """
    preview previsualize diff 预览 預覽 vorschau aperçu prévisualiser vista-previa previsualizar anteprima
    プレビュー 미리보기 предпросмотр podgląd voorbeeld
"""
NUMBER = """
    amount price cost total sum qty quantity number num count weight size rate percent year age days hours
    minutes
"""
CONFIRM = "confirm confirmation repeat again verify retype password2 passwordconfirm"

_PART = re.compile(r"[^\W\d_]+(?:\d+)?")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Kana, Han and Hangul, where words are found inside longer runs."""


@lru_cache(maxsize=4_096)
def words_of(text: str) -> frozenset[str]:
    """The lower-case words of a label, a path or an identifier; neighbours also joined: ``sign out`` →
    ``sign``, ``out``, ``signout``, ``sign-out``.
    """
    parts = [part.lower() for part in _PART.findall(_CAMEL.sub(" ", text))]
    pairs = [(first + second, f"{first}-{second}") for first, second in pairwise(parts)]
    return frozenset(parts).union(*pairs)


def speaks_of(family: str, *texts: str) -> bool:
    """Whether any text holds a word of the family."""
    spaced, unspaced = _family(family)
    return any(text and (words_of(text) & spaced or any(word in text for word in unspaced)) for text in texts)


@lru_cache(maxsize=4_096)
def says_only(family: str, text: str) -> bool:
    """Whether a text says nothing but words of the family ("Cancel", and not "Cancel order")."""
    spaced, unspaced = _family(family)
    parts = {part.lower() for part in _PART.findall(_CAMEL.sub(" ", text))}
    return bool(parts) and all(part in spaced or _made_of(unspaced, part) for part in parts)


def _made_of(words: tuple[str, ...], run: str) -> bool:
    """Whether a run of characters that are written without spaces holds nothing but such words."""
    for word in words:
        run = run.replace(word, "")
    return not run


@lru_cache(maxsize=64)
def _family(family: str) -> tuple[frozenset[str], tuple[str, ...]]:
    words = family.split()
    unspaced = tuple(sorted(filter(_UNSPACED.search, words), key=len, reverse=True))
    return frozenset(words) - frozenset(unspaced), unspaced
